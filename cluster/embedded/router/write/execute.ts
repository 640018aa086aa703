/**
 * A write command on a sharded collection, step by step in order, or with the shards side by side where the client does not mind
 * (src/mongo/s/write_ops/batch_write_op.cpp).
 */

import { all } from '../all.ts';
import type { RoutingTable } from '../routing.ts';
import { runAlone } from './alone.ts';
import { sendToAny } from './any.ts';
import { sendToEach } from './each.ts';
import { plan, type Step } from './plan.ts';
import { record, sendTo, sendWhole, type Write, writeError } from './shards.ts';

/**
 * Carries out statements, each batch of them with the collection's lock as it needs it.
 * @param indexes the statements that have not been carried out before
 */
export async function execute(write: Write, indexes: readonly number[]): Promise<void> {
  let left = indexes;
  while (left.length > 0 && !isStopped(write)) left = await executeSome(write, left);
}

function isStopped({ command, outcome }: Write): boolean {
  return command.ordered && outcome.hasErrors;
}

/** Carries out what can be done beside other work, then what has to be alone; returns what is left. */
async function executeSome(write: Write, indexes: readonly number[]): Promise<readonly number[]> {
  const { catalog, command } = write;
  const left = await catalog.using(command.ns, () => executeShared(write, indexes));
  if (isStopped(write)) return [];
  const [first, ...rest] = left;
  if (first !== undefined) await catalog.changing(command.ns, () => executeAlone(write, first));
  return rest;
}

/** Returns the statements that have to be alone and, in order, what follows the first of them. */
async function executeShared(write: Write, indexes: readonly number[]): Promise<readonly number[]> {
  const { catalog, command } = write;
  const table = catalog.routing(command.ns);
  if (!table) {
    await sendBatch(await catalog.ensureDatabase(command.db), indexes, write);
    return [];
  }
  const steps = plan(command, indexes, table);
  const alone = steps.flatMap((step) => (step.way === 'alone' ? [step.index] : []));
  if (!command.ordered) {
    await sideBySide(steps, table, write);
    return alone;
  }
  for (const step of steps) if (!isStopped(write)) await executeStep(step, table, write);
  return alone[0] === undefined ? [] : indexes.slice(indexes.indexOf(alone[0]));
}

/** One batch per shard at once; single statements one after the other, so as not to open a connection for each. */
async function sideBySide(steps: readonly Step[], table: RoutingTable, write: Write): Promise<void> {
  const batches = steps.filter(({ way }) => way === 'shard');
  const singles = async (): Promise<void> => {
    for (const step of steps) if (step.way !== 'shard') await executeStep(step, table, write);
  };
  await all([...batches.map((step) => executeStep(step, table, write)), singles()]);
}

async function executeStep(step: Step, table: RoutingTable, write: Write): Promise<void> {
  switch (step.way) {
    case 'shard':
      return sendBatch(step.shard, step.indexes, write);
    case 'each':
      return sendToEach(step.index, step.shards, step.byId, write);
    case 'any':
      return sendToAny(step.index, step, table, write);
    case 'alone':
      return; // its turn comes with the lock that it needs
    case 'refused':
      write.outcome.answeredBy = 'model';
      write.outcome.fail(writeError(step.index, step.error));
  }
}

/** A batch that is the whole command goes as it came. */
async function sendBatch(shard: string, indexes: readonly number[], write: Write): Promise<void> {
  const { whole, command } = write;
  const isAll = whole !== undefined && indexes.length === command.statements.length;
  record(await (isAll ? sendWhole(shard, whole, write) : sendTo(shard, indexes, write)), indexes, write);
}

/** The routing table may be another one by now, so the statement is looked at again. */
async function executeAlone(write: Write, index: number): Promise<void> {
  const { catalog, command } = write;
  const table = catalog.routing(command.ns);
  if (!table) return sendBatch(await catalog.ensureDatabase(command.db), [index], write);
  const [step] = plan(command, [index], table);
  if (step?.way === 'alone') return runAlone(index, step.statement, table, write);
  if (step) await executeStep(step, table, write);
}
