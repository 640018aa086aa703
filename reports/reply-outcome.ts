/** What a reply comes to, in a few words. */
import type { Json, JsonObject } from '../experiments/harness/record.ts';
import { joined, plural } from './words.ts';

/** `error 67 CannotCreateIndex: …`, `2 write errors: …`, `3 documents`, `ok` */
export function replyOutcome(reply: JsonObject): string {
  const { ok, writeErrors, writeConcernError, cursor } = reply;
  if (ok === 0) return errorText(reply);
  const refused = listOf(writeErrors);
  if (refused.length > 0)
    return `${plural(refused.length, 'write error')}: ${joined([...new Set(refused.map(errorText))])}`;
  if (isObject(writeConcernError)) return `write concern ${errorText(writeConcernError)}`;
  return isObject(cursor) ? plural(listOf(cursor.firstBatch ?? cursor.nextBatch).length, 'document') : 'ok';
}

function errorText({ code, codeName, errmsg }: JsonObject): string {
  const name = typeof codeName === 'string' ? ` ${codeName}` : '';
  return `error${code === undefined ? '' : ` ${String(code)}`}${name}${typeof errmsg === 'string' ? `, ${errmsg}` : ''}`;
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
