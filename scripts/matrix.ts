/** `npm run matrix`: runs every experiment on each of several versions, and shows them side by side. */
import { isAbsolute } from 'node:path';
import { Command } from 'commander';
import { checkAsked } from '../cluster/distributions/download/versions.ts';
import { serverArguments } from '../cluster/extra-args.ts';
import { builtInExperiments } from '../experiments/harness/load.ts';
import { argumentsText } from '../reports/server-arguments.ts';
import { distributionChoice, runScript } from './cli.ts';
import { type Column, columnOf, columnText, exitCodeFor } from './columns.ts';
import type { Ledger } from './ledger.ts';
import { matrixPath, outputFor } from './results.ts';
import { endProcess, runOn } from './run-on.ts';
import { type ServerArgFlags, serverArgOptions } from './server-args.ts';

const program = new Command('npm run matrix --')
  .description(
    'Runs every experiment on each version, one cluster after the other, and writes a page that compares them with each other and with the results that are there.',
  )
  .argument(
    '<versions...>',
    'versions or ranges to download (6.0, 8.0.4), embedded, system, or folders that hold mongod and mongos',
  )
  .option(
    '--out <folder>',
    'where results go (default: reports/results in this repository, ./shardlab-reports elsewhere)',
  );
for (const option of serverArgOptions()) program.addOption(option);

await runScript(program, async (stopped) => {
  const versions = [...new Set(program.args.map(distributionChoice))];
  versions.forEach(refuseUnknown);
  return runAll(versions, program.opts<Flags>(), stopped);
});
endProcess();

/** Before anything runs: a slip in the last version must not show after an hour. */
function refuseUnknown(version: string): void {
  const isNamed = ['auto', 'embedded', 'system'].includes(version);
  if (!isNamed && !isAbsolute(version)) checkAsked(version);
}

interface Flags extends ServerArgFlags {
  out?: string;
}

async function runAll(versions: readonly string[], { out, ...args }: Flags, stopped: AbortSignal): Promise<number> {
  const experiments = await builtInExperiments();
  const output = outputFor(out);
  const columns: Column[] = [];
  try {
    for (const mongodb of versions) {
      const run = (ledger: Ledger) => runOn(experiments, ledger, { ...args, mongodb, fresh: false, stopped });
      columns.push(await columnOf(askedAs(mongodb, args), output, run, console.error));
      stopped.throwIfAborted();
    }
  } finally {
    for (const column of columns) console.log(columnText(column));
    if (columns.some(({ records, isNoted }) => records.length > 0 || isNoted)) console.log(matrixPath(output));
  }
  return exitCodeFor(columns);
}

/** With other arguments it is another column. */
function askedAs(mongodb: string, { mongodArgs, mongosArgs }: ServerArgFlags): string {
  const text = argumentsText(serverArguments(mongodArgs, mongosArgs));
  return text ? `${mongodb} with ${text}` : mongodb;
}
