/** `balancerCollectionStatus`: whether a balancer would leave a collection alone (`Balancer::getBalancerStatusForNs`, src/mongo/db/s/balancer/balancer.cpp). */
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace, splitNamespace } from '../ddl/namespace.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { zoneRangesOf, zonesByShard } from '../metadata/zones.ts';
import { chunkLimit } from '../moves/jumbo.ts';
import { sizeOfCollection } from '../moves/sizes.ts';
import { adminOnly } from './admin-only.ts';
import { type ShardLoad, violationOf } from './balance.ts';

const NAMESPACE_NOT_SHARDED = 118;
const MEGABYTE = 1024 * 1024;

export const balancerStatusCommands: Readonly<Record<string, CommandHandler>> = {
  balancerCollectionStatus: adminOnly(collectionStatus),
};

async function collectionStatus(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  return router.catalog.using(ns, async () => {
    const collection = router.metadata.sharded(ns);
    if (!collection) throw new CommandError(NAMESPACE_NOT_SHARDED, 'Collection unsharded or undefined');
    const [maxBytes, zoneRanges, shards] = await Promise.all([
      chunkLimit(ns, router.catalog.config),
      zoneRangesOf(router.catalog, ns),
      loads(collection, router),
    ]);
    const violation = violationOf({ chunks: collection.chunks, zoneRanges, shards, maxChunkBytes: maxBytes });
    return modelReply({
      chunkSize: Math.ceil((maxBytes / MEGABYTE) * 100) / 100,
      balancerCompliant: violation === undefined,
      ...(violation && { firstComplianceViolation: violation }),
    });
  });
}

async function loads({ entry, routing }: ShardedCollection, { catalog }: Router): Promise<ShardLoad[]> {
  const zones = await zonesByShard(catalog);
  const namespace = splitNamespace(entry.ns);
  return Promise.all(
    catalog.shards().map(async ({ id }) => {
      const isOwner = routing.owners.includes(id);
      const bytes = isOwner ? (await sizeOfCollection(catalog.peer(id), namespace)).bytes : 0;
      return { id, zones: zones.get(id) ?? [], bytes };
    }),
  );
}
