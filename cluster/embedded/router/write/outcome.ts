/** What a write command has done so far: the sums, and by statement what only one of them did. */
import { Double } from 'bson';
import {
  arrayOf,
  documentOf,
  elements,
  field,
  number,
  type RawElement,
  type RawValue,
  rawValue,
  Type,
} from '../../wire/bson.ts';
import type { AnsweredBy, Reply } from '../command.ts';
import type { WriteKind } from './command.ts';

/** What some statements did. */
export interface Done {
  n: number;
  nModified: number;
  upserted: readonly Upserted[];
}

/** A statement that inserted a document because none matched. */
export interface Upserted {
  /** The statement's place in the client's command. */
  index: number;
  id: RawValue;
}

/** One entry of `writeErrors`. */
export interface WriteError {
  index: number;
  /** `{ index, code, errmsg, … }` */
  bytes: Buffer;
}

/** Done by nothing. */
export const NOTHING: Done = { n: 0, nModified: 0, upserted: [] };

/** See the file's comment. */
export class Outcome {
  readonly #errors: WriteError[] = [];
  readonly #upserted: Upserted[] = [];
  /** Statements answered from memory (`retriedStmtIds`). */
  readonly retried: number[] = [];
  #n = 0;
  #nModified = 0;
  answeredBy: AnsweredBy = 'engine';
  /** The one shard's reply, when all of the command went there as it came. */
  passed: Buffer | undefined;

  add({ n, nModified, upserted }: Done): void {
    this.#n += n;
    this.#nModified += nModified;
    this.#upserted.push(...upserted);
  }

  fail(...errors: readonly WriteError[]): void {
    this.#errors.push(...errors);
  }

  get hasErrors(): boolean {
    return this.#errors.length > 0;
  }

  get done(): Done {
    return { n: this.#n, nModified: this.#nModified, upserted: this.#upserted };
  }

  /** By statement. */
  get errors(): readonly WriteError[] {
    return this.#errors.sort((a, b) => a.index - b.index);
  }

  reply(kind: WriteKind): Reply {
    if (this.passed) return { body: this.passed, answeredBy: 'engine' };
    const upserted = this.#upserted.sort((a, b) => a.index - b.index).map(upsertedEntry);
    const parts: RawElement[] = [{ name: 'n', ...rawValue(this.#n) }];
    if (upserted.length > 0) parts.push({ name: 'upserted', ...arrayOf(upserted) });
    if (this.hasErrors)
      parts.push({ name: 'writeErrors', ...arrayOf(this.errors.map(({ bytes }) => ({ type: Type.object, bytes }))) });
    if (kind === 'update') parts.push({ name: 'nModified', ...rawValue(this.#nModified) });
    if (this.retried.length > 0) parts.push({ name: 'retriedStmtIds', ...rawValue(this.retried) });
    return { body: documentOf([...parts, { name: 'ok', ...rawValue(new Double(1)) }]), answeredBy: this.answeredBy };
  }
}

function upsertedEntry({ index, id }: Upserted): RawValue {
  return {
    type: Type.object,
    bytes: documentOf([
      { name: 'index', ...rawValue(index) },
      { name: '_id', ...id },
    ]),
  };
}

/** What a shard's reply to a batch says. @param indexes the statements' places in the client's command */
export function doneIn(reply: Buffer, indexes: readonly number[]): Done {
  return {
    n: number(field(reply, 'n')) ?? 0,
    nModified: number(field(reply, 'nModified')) ?? 0,
    upserted: entries(reply, 'upserted').flatMap((entry) => {
      const id = field(entry, '_id');
      return id ? [{ index: placeOf(entry, indexes), id }] : [];
    }),
  };
}

/** The write errors of a shard's reply, with the statements' places in the client's command written into their bytes. */
export function errorsIn(reply: Buffer, indexes: readonly number[]): WriteError[] {
  return entries(reply, 'writeErrors').map((bytes) => {
    const index = placeOf(bytes, indexes);
    const written = field(bytes, 'index');
    if (written?.type === Type.int) written.bytes.writeInt32LE(index, 0);
    return { index, bytes };
  });
}

function entries(reply: Buffer, name: string): Buffer[] {
  const array = field(reply, name);
  return array ? elements(array.bytes).map(({ bytes }) => bytes) : [];
}

function placeOf(entry: Buffer, indexes: readonly number[]): number {
  return indexes[number(field(entry, 'index')) ?? 0] as number;
}
