/** What a `bulkWrite` has done: the sums, and an entry for each operation that the client is to be told of. */
import { Double } from 'bson';
import { documentOf, elements, type RawElement, rawValue, Type } from '../../wire/bson.ts';
import type { AnsweredBy } from '../command.ts';
import type { Part } from './bulk-write.ts';
import type { WriteKind } from './command.ts';
import type { Done, Outcome, WriteError } from './outcome.ts';

/** See the file's comment. */
export class BulkTally {
  readonly #errorsOnly: boolean;
  /** `{ ok, idx, n, … }` in the order of the operations. */
  readonly entries: Buffer[] = [];
  readonly retried: number[] = [];
  answeredBy: AnsweredBy = 'engine';
  readonly sums = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };

  /** @param errorsOnly whether operations that succeeded get no entry */
  constructor(errorsOnly: boolean) {
    this.#errorsOnly = errorsOnly;
  }

  add(part: Part, outcome: Outcome): void {
    const { done, errors } = outcome;
    this.#count(part, done);
    this.sums.nErrors += errors.length;
    this.retried.push(...outcome.retried);
    if (outcome.answeredBy === 'model') this.answeredBy = 'model';
    this.#enter(part, done, new Map(errors.map((error) => [error.index, error])));
  }

  #count({ command }: Part, { n, nModified, upserted }: Done): void {
    const { sums } = this;
    if (command.kind === 'insert') sums.nInserted += n;
    else if (command.kind === 'delete') sums.nDeleted += n;
    else {
      sums.nMatched += n - upserted.length;
      sums.nModified += nModified;
      sums.nUpserted += upserted.length;
    }
  }

  #enter({ command, offset }: Part, done: Done, errors: ReadonlyMap<number, WriteError>): void {
    for (const index of command.statements.keys()) {
      const error = errors.get(index);
      if (error) this.entries.push(errorEntry(offset + index, error, command.kind === 'update'));
      else if (!this.#errorsOnly) this.entries.push(successEntry(offset + index, command.kind, done));
      if (error && command.ordered) return;
    }
  }
}

/** Of a part with one operation, or of an insert, which inserts one document each. */
function successEntry(idx: number, kind: WriteKind, { n, nModified, upserted }: Done): Buffer {
  const parts = [...head(1, idx), { name: 'n', ...rawValue(kind === 'insert' ? 1 : n) }];
  if (kind === 'update') parts.push({ name: 'nModified', ...rawValue(nModified) });
  const id = upserted[0]?.id;
  if (id) parts.push({ name: 'upserted', type: Type.object, bytes: documentOf([{ name: '_id', ...id }]) });
  return documentOf(parts);
}

function errorEntry(idx: number, { bytes }: WriteError, isUpdate: boolean): Buffer {
  const why = elements(bytes).filter(({ name }) => name !== 'index');
  const nothing = isUpdate ? ['n', 'nModified'] : ['n'];
  return documentOf([...head(0, idx), ...why, ...nothing.map((name) => ({ name, ...rawValue(0) }))]);
}

function head(ok: number, idx: number): RawElement[] {
  return [
    { name: 'ok', ...rawValue(new Double(ok)) },
    { name: 'idx', ...rawValue(idx) },
  ];
}
