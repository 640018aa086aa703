/** Finishes or undoes what an earlier router has left when it died. */
import { log } from '../../log.ts';
import { finishDrop } from '../ddl/drop.ts';
import { type Mover, settle } from '../moves/stages.ts';
import { finishDocumentMove } from '../write/move-document.ts';
import { clearUp } from './clear-up.ts';
import { type JournalEntry, unfinished } from './entries.ts';

const LINE = { component: 'SHARDING', context: 'mongosMain' } as const;
const ABORTED = 'the router died';

/**
 * Brings every journalled change to its end; nobody else may be at work on the cluster yet. Where a shard cannot be reached the rest is
 * left to whoever uses the namespace next ({@link Metadata.seeThrough}).
 */
export async function recover(mover: Mover): Promise<void> {
  const { metadata } = mover;
  await Promise.all(metadata.shards().map(({ id }) => clearUp(metadata.peer(id))));
  for (const entry of await unfinished(metadata.config)) {
    const names = namesIn(entry);
    log({ ...LINE, id: 9_990_003, message: 'Bringing to its end what an earlier router had begun', attributes: names });
    try {
      await metadata.seeThrough(names.on, () => finish(entry, mover));
    } catch (error) {
      const attributes = { ...names, error: (error as Error).message };
      const message = 'It cannot be brought to its end before it is used again';
      log({ ...LINE, severity: 'W', id: 9_990_005, message, attributes });
    }
  }
}

function finish(entry: JournalEntry, mover: Mover): Promise<void> {
  switch (entry.kind) {
    case 'move':
      return settle(entry, mover, ABORTED);
    case 'drop':
      return finishDrop(entry, mover.metadata);
    case 'document':
      return finishDocumentMove(entry, mover.metadata);
  }
}

function namesIn(entry: JournalEntry): { kind: string; on: string } & Record<string, string> {
  const { kind } = entry;
  if (kind !== 'drop') return { kind, on: entry.ns, from: entry.from, to: entry.to };
  return { kind, on: entry.collection === undefined ? entry.db : `${entry.db}.${entry.collection}` };
}
