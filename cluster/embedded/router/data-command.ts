/** What every command on documents has in common before it is looked at. */
import { notModelled } from '../not-modelled.ts';
import { field, truthy } from '../wire/bson.ts';
import type { CommandHandler } from './command.ts';
import { Refused } from './refused.ts';

/** Refuses a command of a multi-document transaction, and answers a shard's refusal with that refusal. */
export function dataCommand(handler: CommandHandler): CommandHandler {
  return async (call, router) => {
    try {
      const autocommit = field(call.body, 'autocommit');
      if (autocommit && !truthy(autocommit)) throw notModelled('a multi-document transaction');
      return await handler(call, router);
    } catch (error) {
      if (error instanceof Refused) return { body: error.reply, answeredBy: 'engine' };
      throw error;
    }
  };
}
