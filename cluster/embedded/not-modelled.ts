/** The one refusal of whatever a server can do and the embedded distribution cannot. */
import { CommandError } from './router/command.ts';

/** A code that no server has (they stay below nine digits in `error_codes.yml`, and the engine's own begin with 1318). */
export const NOT_MODELLED_CODE = 9_990_001;
const NOT_MODELLED_NAME = 'ShardlabNotModelled';

/** @param what a command's name, or words for the part of it that is missing */
export function notModelledText(what: string): string {
  return `shardlab: ${what} is not modelled; run it on real MongoDB with --mongodb <version>`;
}

/** @param what as in {@link notModelledText} */
export function notModelled(what: string): CommandError {
  return new CommandError(NOT_MODELLED_CODE, notModelledText(what), { codeName: NOT_MODELLED_NAME });
}
