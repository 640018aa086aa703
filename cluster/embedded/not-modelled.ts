/** The one answer to whatever a server can do and the embedded distribution cannot. */
import { encode } from './wire/bson.ts';

/** A code that no server has (they stay below nine digits in `error_codes.yml`, and the engine's own begin with 1318). */
export const NOT_MODELLED_CODE = 9_990_001;
export const NOT_MODELLED_NAME = 'ShardlabNotModelled';

/** @param what a command's name, or words for the part of it that is missing */
export function notModelledText(what: string): string {
  return `shardlab: ${what} is not modelled; run it on real MongoDB with --mongodb <version>`;
}

/** The reply to a command that is not modelled. */
export function notModelledReply(what: string): Buffer {
  return encode({ ok: 0, errmsg: notModelledText(what), code: NOT_MODELLED_CODE, codeName: NOT_MODELLED_NAME });
}
