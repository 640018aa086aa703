/** The commands about the cluster, its processes and its databases. */
import type { CommandHandler } from '../command.ts';
import { addShardCommands } from './add-shard.ts';
import { balancerCommands } from './balancer.ts';
import { balancerStatusCommands } from './balancer-status.ts';
import { collectionBalancingCommands } from './collection-balancing.ts';
import { databaseCommands } from './databases.ts';
import { helloCommands } from './hello.ts';
import { parameterCommands } from './parameters.ts';
import { processCommands } from './process.ts';
import { sessionCommands } from './sessions.ts';
import { shardVersionCommands } from './shard-version.ts';
import { shardCommands } from './shards.ts';

export const topologyCommands: Readonly<Record<string, CommandHandler>> = {
  ...helloCommands,
  ...processCommands,
  ...parameterCommands,
  ...sessionCommands,
  ...shardCommands,
  ...shardVersionCommands,
  ...addShardCommands,
  ...balancerCommands,
  ...balancerStatusCommands,
  ...collectionBalancingCommands,
  ...databaseCommands,
};
