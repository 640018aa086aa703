/** `clearJumboFlag` (src/mongo/s/commands/cluster_clear_jumbo_flag_cmd.cpp, `ShardingCatalogManager::clearJumboFlag`). */
import { type Call, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { fieldsOf } from '../ddl/request.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { collectionVersion, type ShardedCollection, withChunks } from '../metadata/sharded-collection.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { chosenChunk, requireOneChoice } from './chosen-chunk.ts';
import { changed } from './chunk-changes.ts';
import { requireSharded } from './require-sharded.ts';

const CODES = { noKey: 51260, invalidBounds: 51261, noChunk: 51261 };

export const jumboCommands: Readonly<Record<string, CommandHandler>> = { clearJumboFlag: adminOnly(clearJumboFlag) };

async function clearJumboFlag(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, { find: 'object', bounds: 'array' });
  await router.metadata.changing(ns, async () => {
    const collection = requireSharded(router.metadata, ns);
    requireOneChoice(fields, {
      both: 'cannot specify bounds and find at the same time',
      none: 'need to specify find or bounds',
    });
    const chunk = chosenChunk(call, fields, collection, CODES);
    if (chunk.jumbo) await clear(chunk, collection, router);
  });
  return modelReply();
}

/** The chunk begins a new major version, so that its shard learns of it. */
async function clear(chunk: ChunkEntry, collection: ShardedCollection, { metadata }: Router): Promise<void> {
  const major = collectionVersion(collection.chunks).major + 1;
  const replacement = { removed: [chunk], added: [{ ...chunk, jumbo: undefined, version: { major, minor: 0 } }] };
  const after = withChunks(collection, replacement.removed, replacement.added);
  await metadata.commit(changed(replacement, collection.entry.uuid), () => metadata.put(after));
}
