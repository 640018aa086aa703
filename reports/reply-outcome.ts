/** What a reply comes to, in a few words. */
import type { Json, JsonObject } from '../experiments/harness/record.ts';
import { isObject } from './json.ts';
import { cut, joined, plural } from './words.ts';

/** `error 67 CannotCreateIndex: …`, `2 write errors: …`, `3 documents`, `ok` */
export function replyOutcome(reply: JsonObject): string {
  const { ok, writeErrors, writeConcernError, cursor } = reply;
  if (ok === 0) return errorText(reply);
  const refused = listOf(writeErrors);
  if (refused.length > 0) return writeErrorsText(refused);
  if (isObject(writeConcernError)) return `write concern ${errorText(writeConcernError)}`;
  return isObject(cursor) ? plural(listOf(cursor.firstBatch ?? cursor.nextBatch).length, 'document') : 'ok';
}

/** Errors with one code are mostly about one thing: the first stands for them. */
function writeErrorsText(errors: readonly JsonObject[]): string {
  const codes = new Set(errors.map(({ code }) => code));
  const shown = [...codes].map((one) => errors.find(({ code }) => code === one) ?? {});
  return `${plural(errors.length, 'write error')}: ${joined(shown.map(errorText))}`;
}

function errorText({ code, codeName, errmsg }: JsonObject): string {
  const name = typeof codeName === 'string' ? ` ${codeName}` : '';
  return `error${code === undefined ? '' : ` ${String(code)}`}${name}${typeof errmsg === 'string' ? `, ${cut(errmsg, LONGEST_MESSAGE)}` : ''}`;
}

/** The whole of it is in the reply. */
const LONGEST_MESSAGE = 140;

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
