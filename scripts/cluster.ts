/** `npm run cluster`: starts a sharded cluster, prints its connection string alone on stdout, and keeps it until Ctrl-C. */
import { once } from 'node:events';
import { Command } from 'commander';
import { type Cluster, startCluster } from '../cluster/index.ts';
import { type ClusterFlags, colors, ExitCode, mongodbOption, runScript, sayProgress, shardsOption } from './cli.ts';
import { type ServerArgFlags, serverArgOptions } from './server-args.ts';

const program = new Command('npm run cluster --')
  .description('Starts a sharded MongoDB cluster and keeps it until Ctrl-C. The URI of its mongos goes to stdout.')
  .addOption(mongodbOption())
  .addOption(shardsOption());
for (const option of serverArgOptions()) program.addOption(option);

await runScript(program, async (stopped) => {
  const flags = program.opts<ClusterFlags & ServerArgFlags>();
  const cluster = await startCluster({ ...flags, signal: stopped, onProgress: sayProgress });
  try {
    console.error(howToConnect(cluster));
    console.log(cluster.uri);
    await untilAborted(AbortSignal.any([stopped, cluster.failed]));
  } finally {
    await stop(cluster);
  }
  cluster.failed.throwIfAborted();
  return ExitCode.ok;
});

function howToConnect({ uri, version, distribution, shards, configServer }: Cluster): string {
  const modelled = distribution.modelled ? '; routing and metadata are a model, not MongoDB' : '';
  const members = [...shards, configServer].map(({ name, uri }) => `  ${name.padEnd(6)} ${uri}`);
  return [
    colors.bold(`MongoDB ${version} (${distribution.kind}${modelled}) is ready.`),
    `  mongosh "${uri}"`,
    'Past the router, for looking only:',
    ...members,
    'Ctrl-C stops it and removes all its data.',
  ].join('\n');
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function stop(cluster: Cluster): Promise<void> {
  console.error('Stopping …');
  const { problems } = await cluster.stop();
  for (const problem of problems) console.error(colors.red(problem));
  if (problems.length === 0) console.error('Stopped; nothing is left of it.');
}
