/** `npm run clean`: drops what interrupted runs have left on a cluster that somebody else runs. */
import { Command } from 'commander';
import type { ExistingCluster } from '../cluster/existing/cluster.ts';
import { scratchNames } from '../cluster/existing/scratch.ts';
import { ExitCode, runScript } from './cli.ts';
import { type ExistingFlags, uriOption, withExisting, yesOption } from './existing.ts';

const program = new Command('npm run clean --')
  .description(
    'Drops scratch databases and zones (shardlab_ and 12 hexadecimal digits) that interrupted runs have left on a sharded cluster. A run that is under way there loses its own.',
  )
  .addOption(uriOption().makeOptionMandatory())
  .addOption(yesOption());

await runScript(program, (stopped) =>
  withExisting(program.opts<ExistingFlags>(), 'drop what is left of interrupted runs', stopped, (cluster) =>
    clean(cluster, stopped),
  ),
);

async function clean(cluster: ExistingCluster, stopped: AbortSignal): Promise<number> {
  const names = await scratchNames(cluster.client);
  if (names.length === 0) console.error('Nothing is left of any run.');
  for (const name of names) {
    stopped.throwIfAborted();
    await cluster.dropScratch(name);
    console.log(`dropped ${name}`);
  }
  return ExitCode.ok;
}
