/** How failed writes are told of in a raw reply. */
import type { Answer } from '../answer.ts';
import { EVERY_VERSION, type Exception, replies } from './entry.ts';

interface WriteError {
  readonly index: number;
  readonly code: number;
  readonly codeName?: string;
  readonly errmsg: string;
}

const AS_A_SHARD_WRITES_IT = {
  answer: asAShardWritesIt,
  because:
    'mongos used to write the entries of `writeErrors` anew, with a `codeName` and without saying which key was taken; now it hands on the ' +
    "shard's, with `keyPattern` and `keyValue` and no `codeName`. Index, code and text are the same",
  evidence: ['src/mongo/db/query/write_ops/write_ops.cpp (9.0), WriteError::serialize'],
};

export const writeErrors: readonly Exception[] = [
  {
    steps: [
      'prefix-unique-meaning#5',
      'duplicate-id-across-shards#5',
      'global-unique-by-shard-key#4',
      'global-unique-by-shard-key#6',
      'hashed-id-is-global#2',
      'hashed-id-is-global#3',
      'soft-delete-restore#5',
      'unique-null-and-missing#5',
      'unique-null-and-missing#6',
      'zones-place-ranges#7',
      'soft-delete-filter-forms#10',
    ],
    versions: EVERY_VERSION,
    ...AS_A_SHARD_WRITES_IT,
  },
  { steps: ['missing-and-null-shard-key#13'], versions: ['4.4', '4.9'], ...AS_A_SHARD_WRITES_IT },
  { steps: ['hidden-unique-index#5'], versions: ['4.9'], ...AS_A_SHARD_WRITES_IT },
];

function asAShardWritesIt(recorded: Answer): Answer {
  const { writeErrors, ...rest } = (recorded as { reply: { writeErrors: WriteError[] } }).reply;
  return replies({ ...rest, writeErrors: writeErrors.map(withKey) });
}

function withKey({ codeName: _codeName, ...error }: WriteError): object {
  return { ...error, ...takenKey(error.errmsg) };
}

/** The key that the text of a duplicate names; every index of the scenarios is ascending. */
function takenKey(text: string): object {
  const shown = / dup key: (\{.*\})$/.exec(text)?.[1];
  if (shown === undefined) return {};
  const keyValue: object = JSON.parse(shown.replace(/([{,] )(\w+):/g, '$1"$2":'));
  return { keyPattern: Object.fromEntries(Object.keys(keyValue).map((name) => [name, 1])), keyValue };
}
