/** What every command on documents has in common before it is looked at. */
import { notModelledReply } from '../not-modelled.ts';
import { field, truthy } from '../wire/bson.ts';
import type { CommandHandler } from './command.ts';
import { Refused } from './refused.ts';

/** Refuses a command of a multi-document transaction, and answers a shard's refusal with that refusal. */
export function dataCommand(handler: CommandHandler): CommandHandler {
  return async (call, router) => {
    const autocommit = field(call.body, 'autocommit');
    if (autocommit && !truthy(autocommit)) {
      return { body: notModelledReply('a multi-document transaction'), answeredBy: 'model' };
    }
    try {
      return await handler(call, router);
    } catch (error) {
      if (error instanceof Refused) return { body: error.reply, answeredBy: 'engine' };
      throw error;
    }
  };
}
