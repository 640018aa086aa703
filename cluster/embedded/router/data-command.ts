/** What every command on documents has in common before it is looked at. */
import { notModelledReply } from '../not-modelled.ts';
import { field, truthy } from '../wire/bson.ts';
import type { CommandHandler } from './command.ts';
import { Refused } from './refused.ts';

/** Thrown where a command turns out to ask for what is not modelled; the client gets the one answer to that. */
export class NotModelled extends Error {
  override readonly name = 'NotModelled';
  /** What is missing, in words. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} is not modelled`);
    this.what = what;
  }
}

/** Refuses a command of a multi-document transaction, and answers a shard's refusal with that refusal. */
export function dataCommand(handler: CommandHandler): CommandHandler {
  return async (call, router) => {
    try {
      const autocommit = field(call.body, 'autocommit');
      if (autocommit && !truthy(autocommit)) throw new NotModelled('a multi-document transaction');
      return await handler(call, router);
    } catch (error) {
      if (error instanceof Refused) return { body: error.reply, answeredBy: 'engine' };
      if (error instanceof NotModelled) return { body: notModelledReply(error.what), answeredBy: 'model' };
      throw error;
    }
  };
}
