/** The index that a shard key needs, looked for on one shard (`validShardKeyIndexExists`, src/mongo/db/global_catalog/ddl/shard_key_util.cpp). */
import { elements, field, firstName, number } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { CommandError } from '../command.ts';
import { isHashedPattern, isKeyPrefix, isSameKey, isUniqueCompatible, unfitness } from './index-rules.ts';
import type { Index } from './indexes.ts';

const INVALID_OPTIONS = 72;

/** What is looked at: a collection's indexes and the shard key proposed for it. */
export interface Candidate {
  ns: string;
  indexes: readonly Index[];
  key: Buffer;
  /** A unique index on exactly the key is wanted. */
  requireUnique: boolean;
  multikey: (index: Index) => Promise<boolean>;
}

/** Whether there is a fitting index; if not, what stands in the way, for the message that asks for one. */
export interface Found {
  useful: boolean;
  reasons: string;
}

/**
 * Looks for an index that can serve as the shard key's.
 * @throws CommandError 72 when an index of the collection forbids the key
 */
export async function findUsefulIndex(candidate: Candidate): Promise<Found> {
  checkUniqueIndexes(candidate);
  const useful = candidate.indexes.filter((index) => looksUseful(candidate, index)).length > 0; // each may refuse
  const found = { useful: useful && isUniqueEnough(candidate), reasons: lastReasons(candidate.indexes) };
  return found.useful ? { ...found, useful: await isUsable(candidate) } : found;
}

/** Every unique index must stay unique under the key. */
function checkUniqueIndexes({ ns, indexes, key }: Candidate): void {
  for (const index of indexes) {
    if (!(index.unique || index.prepareUnique) || isUniqueCompatible(key, index)) continue;
    const collation = index.collation ? documentText(index.collation) : '{}';
    throw new CommandError(
      INVALID_OPTIONS,
      `can't shard collection '${ns}' with unique index on ${documentText(index.key)}, proposed shard key ${documentText(key)} and collation ${collation}. Uniqueness can't be maintained unless shard key is a prefix and has simple collation`,
    );
  }
}

/** Partial and hidden indexes pass here and fail later, as in the server. */
function looksUseful({ ns, key }: Candidate, index: Index): boolean {
  if (index.sparse || index.collation || !isKeyPrefix(key, index.key)) return false;
  const seed = number(field(index.spec, 'seed')) ?? 0;
  if (!isHashedPattern(key) || seed === 0) return true;
  throw new CommandError(
    INVALID_OPTIONS,
    `can't shard collection ${ns} with hashed shard key ${documentText(key)} because the hashed index uses a non-default seed of ${seed}`,
  );
}

/** A unique shard key wants a unique index on exactly the key; one that merely begins with it does not count. */
function isUniqueEnough({ ns, indexes, key, requireUnique }: Candidate): boolean {
  if (!requireUnique) return true;
  const exact = indexes.find((index) => isSameKey(index.key, key));
  if (!exact) return false;
  if (exact.unique || firstName(exact.key) === '_id') return true;
  throw new CommandError(
    INVALID_OPTIONS,
    `can't shard collection ${ns}, ${documentText(key)} index not unique, and unique index explicitly specified`,
  );
}

/** What `listIndexes` tells against an index, of the last one that has anything against it: so the server, related to the key or not. */
function lastReasons(indexes: readonly Index[]): string {
  const unfit = indexes.filter(({ sparse, collation }) => sparse || collation).at(-1);
  if (!unfit) return '';
  const reasons = `${unfit.sparse ? ' Index key is sparse.' : ''}${unfit.collation ? ' Index has a non-simple collation.' : ''}`;
  return ` Index ${unfit.name} cannot be used for sharding because [${reasons} ]`;
}

/** `checkShardingIndex`: neither hidden nor partial nor multikey. An index on exactly the key that is one of these is in the way. */
async function isUsable(candidate: Candidate): Promise<boolean> {
  const problem = await shardKeyIndexProblem(candidate);
  if (problem === undefined) return true;
  if (!candidate.indexes.some((index) => isSameKey(index.key, candidate.key))) return false;
  throw new CommandError(
    INVALID_OPTIONS,
    `can't shard collection because an index already exists on the shard key and it's a non shard key valid index. :: caused by :: ${problem}`,
  );
}

/** Why no index can serve as the shard key's, `undefined` when one can. */
export async function shardKeyIndexProblem({
  indexes,
  key,
  multikey,
}: Omit<Candidate, 'ns' | 'requireUnique'>): Promise<string | undefined> {
  if (elements(key).length === 1 && firstName(key) === '_id') return undefined;
  const problems: string[] = [];
  for (const index of indexes.filter(({ hidden }) => !hidden)) {
    const problem = await unfitness(index, key, { multikey, singleKey: true });
    if (problem === undefined) return undefined;
    problems.push(problem);
  }
  return ["couldn't find valid index for shard key", ...problems].join('\n');
}
