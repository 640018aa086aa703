/** Finishes or undoes what an earlier router has left when it died. */
import { log } from '../../log.ts';
import { finishDrop } from '../ddl/drop.ts';
import { type Mover, settle } from '../moves/stages.ts';
import { type JournalEntry, unfinished } from './entries.ts';

/** Brings every journalled change to its end; nobody else may be at work on the cluster yet. */
export async function recover(mover: Mover): Promise<void> {
  for (const entry of await unfinished(mover.metadata.config)) {
    logRecovery(entry);
    if (entry.kind === 'drop') await finishDrop(entry, mover.metadata);
    else await settle(entry, 'recovered', mover);
  }
}

function logRecovery(entry: JournalEntry): void {
  const attributes =
    entry.kind === 'drop'
      ? { kind: entry.kind, db: entry.db, collection: entry.collection }
      : { kind: entry.kind, ns: entry.ns, from: entry.from, to: entry.to };
  const message = 'Bringing to its end what an earlier router had begun';
  log({ component: 'SHARDING', id: 9_990_003, context: 'mongosMain', message, attributes });
}
