/** A write command from its arrival to its reply. */

import { Double } from 'bson';
import { encode, field, number } from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import type { History, Remembered } from '../sessions.ts';
import type { WriteCommand } from './command.ts';
import { execute } from './execute.ts';
import { Outcome } from './outcome.ts';

/** Runs a write command, but for statements that its session has carried out before. */
export function run(command: WriteCommand, call: Call, { metadata: catalog, retries }: Router): Promise<Reply> {
  return retries.run(call, async (history) => {
    const outcome = new Outcome();
    const indexes = command.statements.map((_, index) => index);
    const left = history ? recall(indexes, history, outcome) : indexes;
    const size = command.statements.length;
    await execute({ whole: call, size, operation: 'update', command, catalog, history, outcome }, left);
    return isAcknowledged(call.body) ? outcome.reply(command.kind) : { body: UNACKNOWLEDGED, answeredBy: 'model' };
  });
}

/** Takes what is remembered into the outcome; returns the statements that are left. */
export function recall(indexes: readonly number[], history: History, outcome: Outcome): number[] {
  const recalled = new Set<Remembered>();
  const left = indexes.filter((index) => {
    const before = history.recall(index);
    if (!before) return true;
    recalled.add(before);
    outcome.retried.push(history.stmtId(index));
    return false;
  });
  for (const before of recalled) if ('done' in before) outcome.add(before.done);
  return left;
}

/** What a router answers to an unacknowledged write whose client reads answers all the same. */
const UNACKNOWLEDGED = encode({ ok: new Double(1) });

function isAcknowledged(body: Buffer): boolean {
  const concern = field(body, 'writeConcern');
  return !concern || number(field(concern.bytes, 'w')) !== 0;
}
