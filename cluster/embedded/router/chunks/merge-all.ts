/** `mergeAllChunksOnShard` (`ShardingCatalogManager::commitMergeAllChunksOnShard`, src/mongo/db/global_catalog/ddl/sharding_catalog_manager_chunk_operations.cpp). */
import { Timestamp } from 'bson';
import { number, text } from '../../wire/bson.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { fieldsOf, requireField } from '../ddl/request.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { HISTORY_WINDOW_SECONDS } from '../moves/split-off.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { sameBound } from './bounds.ts';
import { commitMerge, merged } from './merge.ts';
import { requireSharded } from './require-sharded.ts';

const SHARD_NOT_FOUND = 70;

export const mergeAllCommands: Readonly<Record<string, CommandHandler>> = {
  mergeAllChunksOnShard: adminOnly(mergeAllChunksOnShard),
};

async function mergeAllChunksOnShard(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, {
    shard: 'string',
    maxNumberOfChunksToMerge: 'number',
    maxTimeProcessingChunksMS: 'number', // no merge here takes long
  });
  const shard = text(requireField(call, fields, 'shard')) ?? '';
  const most = number(fields.get('maxNumberOfChunksToMerge')) ?? Number.POSITIVE_INFINITY;
  const { metadata } = router;
  if (!metadata.shards().some(({ id }) => id === shard)) {
    throw new CommandError(SHARD_NOT_FOUND, `Shard ${shard} not found`);
  }
  await metadata.changing(ns, async () => {
    const mergeable = requireSharded(metadata, ns).chunks.filter((chunk) => isMergeable(chunk, shard));
    for (const run of runsOf(mergeable, most)) {
      const collection = requireSharded(metadata, ns); // as the run before has left it
      await commitMerge(merged(collection, run), collection, router);
    }
  });
  return modelReply();
}

/** Those that came lately stay, as reads of the past may still ask where they were. */
function isMergeable(chunk: ChunkEntry, shard: string): boolean {
  const oldest = new Timestamp({ t: Math.floor(Date.now() / 1000) - HISTORY_WINDOW_SECONDS, i: 0 });
  return chunk.shard === shard && !chunk.jumbo && chunk.onCurrentShardSince.lessThan(oldest);
}

/** Neighbours, two or more. @param most how many chunks may be in all of them */
function runsOf(chunks: readonly ChunkEntry[], most: number): ChunkEntry[][] {
  const runs: ChunkEntry[][] = [];
  let merged = 0;
  let run: ChunkEntry[] = [];
  for (const chunk of chunks) {
    const last = run.at(-1);
    if (last && sameBound(last.max, chunk.min)) run.push(chunk);
    else {
      if (run.length > 1) merged += run.length;
      run = [chunk];
      runs.push(run);
    }
    if (merged + run.length === most) break;
  }
  return runs.filter(({ length }) => length > 1);
}
