/** Finishes or undoes what an earlier router has left when it died. */
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../log.ts';
import { finishDrop } from '../ddl/drop.ts';
import { type Mover, settle } from '../moves/stages.ts';
import { finishDocumentMove } from '../write/move-document.ts';
import { type JournalEntry, unfinished } from './entries.ts';

const PAUSE_MS = 1_000;

/**
 * Brings every journalled change to its end; nobody else may be at work on the cluster yet. A shard that cannot be reached is waited
 * for without an end: until then documents of a moved range are on two shards, which nobody must see.
 */
export async function recover(mover: Mover): Promise<void> {
  for (const entry of await unfinished(mover.metadata.config)) {
    const names = namesIn(entry);
    log({ ...LINE, id: 9_990_003, message: 'Bringing to its end what an earlier router had begun', attributes: names });
    while (!(await isBroughtToEnd(entry, mover))) await sleep(PAUSE_MS);
  }
}

const LINE = { component: 'SHARDING', context: 'mongosMain' } as const;

async function isBroughtToEnd(entry: JournalEntry, mover: Mover): Promise<boolean> {
  try {
    if (entry.kind === 'drop') await finishDrop(entry, mover.metadata);
    else if (entry.kind === 'document') await finishDocumentMove(entry, mover.metadata);
    else await settle(entry, 'recovered', mover);
    return true;
  } catch (error) {
    const attributes = { ...namesIn(entry), error: (error as Error).message };
    log({
      ...LINE,
      severity: 'W',
      id: 9_990_005,
      message: 'It cannot be brought to its end yet, retrying',
      attributes,
    });
    return false;
  }
}

function namesIn(entry: JournalEntry): Record<string, unknown> {
  if (entry.kind === 'drop') return { kind: entry.kind, db: entry.db, collection: entry.collection };
  return { kind: entry.kind, ns: entry.ns, from: entry.from, to: entry.to };
}
