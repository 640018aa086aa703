/** An error that a shard answered, for the client as it came: thrown where it is met, turned into the reply where the command began. */
import { decodePlain, field, number } from '../wire/bson.ts';
import { CommandError } from './command.ts';

/** See the file's comment. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The shard's reply, `ok: 0` with its code and words. */
  readonly reply: Buffer;

  constructor(reply: Buffer) {
    super('a shard refused a command');
    this.reply = reply;
  }
}

/**
 * The reply, when it says `ok: 1`.
 * @throws Refused when it does not
 */
export function accepted(reply: Buffer): Buffer {
  if (number(field(reply, 'ok')) !== 1) throw new Refused(reply);
  return reply;
}

/** As {@link accepted}, with words before the shard's own, as the server adds context to an error. */
export function acceptedOr(context: string, reply: Buffer): Buffer {
  if (number(field(reply, 'ok')) === 1) return reply;
  const { code, errmsg, ok: _, codeName: __, ...extra } = decodePlain(reply);
  throw new CommandError(code, `${context} :: caused by :: ${errmsg}`, extra);
}
