/** `npm run experiment`: lists the experiments, or runs some of them on a cluster and writes their reports. */
import { once } from 'node:events';
import { Command, Option } from 'commander';
import { scratchNames } from '../cluster/existing/scratch.ts';
import { type Cluster, InputError } from '../cluster/index.ts';
import type { Experiment } from '../experiments/harness/define.ts';
import { builtInExperiments } from '../experiments/harness/load.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { fileName } from '../reports/sets.ts';
import { joined, paragraphs, plural } from '../reports/words.ts';
import { chooseExperiments } from './choose.ts';
import { ExitCode, mongodbOption, runScript } from './cli.ts';
import { refuseBesideUri, uriOption, withExisting, yesOption } from './existing.ts';
import { failuresText, patchText } from './failures.ts';
import { Ledger } from './ledger.ts';
import { indexPath, type Output, outputFor, pagePath } from './results.ts';
import { endProcess, runOn, runOnExisting } from './run-on.ts';
import { type ServerArgFlags, serverArgOptions } from './server-args.ts';
import { isAsExpected, listOf, summary } from './summary.ts';
import { sayWrapped, screenOf, wrapped } from './terminal.ts';
import { totalsText } from './totals.ts';

interface Flags extends ServerArgFlags {
  mongodb: string;
  uri?: string;
  yes: boolean;
  out?: string;
  json: boolean;
  check: boolean;
  fresh: boolean;
  keep: boolean;
}

/** After a run that was broken off: what was done went by above. */
const NAMES_SHOWN = 3;

const program = new Command('npm run experiment --')
  .description(
    'Runs experiments on a sharded MongoDB cluster and reports what it answered. Without arguments it lists them.',
  )
  .argument('[experiments...]', 'all, numbers, names or unambiguous parts of them, or paths of your own files')
  .addOption(mongodbOption())
  .addOption(uriOption())
  .addOption(yesOption())
  .option(
    '--out <folder>',
    'where results go (default: reports/results in this repository, ./shardlab-reports elsewhere)',
  )
  .option('--json', 'print the result records to stdout, where npm prints too without -s', false)
  .option('--check', 'write nothing; fail with a diff where a record differs from the one that is kept', false)
  .option('--fresh', 'a cluster for each experiment', false)
  .addOption(new Option('--keep', 'leave the cluster up until Ctrl-C').default(false).conflicts('fresh'));
for (const option of serverArgOptions()) program.addOption(option);

await runScript(program, async (stopped) => {
  refuseBesideUri(program, ['mongodb', 'mongod-args', 'mongos-args', 'fresh', 'keep']);
  const known = await builtInExperiments();
  const chosen = await chooseExperiments(program.args, known);
  if (chosen.length > 0) return run(chosen, program.opts<Flags>(), stopped);
  if (process.argv.length > 2)
    throw new InputError('say which experiments: all, numbers, names or parts of them, or files');
  console.log(listOf(known));
  return ExitCode.ok;
});
endProcess();

async function run(chosen: readonly Experiment[], flags: Flags, stopped: AbortSignal): Promise<number> {
  const { uri, yes } = flags;
  if (uri === undefined)
    return kept(chosen, flags, stopped, (ledger, done) => start(chosen, ledger, flags, stopped, done));
  return withExisting({ uri, yes }, 'make and drop databases of its own', stopped, (cluster) =>
    kept(chosen, flags, stopped, (ledger, onDone) =>
      runOnExisting(chosen, ledger, cluster, { stopped, onDone: async () => onDone() }),
    ),
  );
}

function start(
  chosen: readonly Experiment[],
  ledger: Ledger,
  { keep, ...flags }: Flags,
  stopped: AbortSignal,
  done: () => void,
): Promise<void> {
  const onDone = async (cluster: Cluster | undefined) => {
    done();
    if (keep && cluster) await untilStopped(cluster, stopped);
  };
  return runOn(chosen, ledger, { ...flags, stopped, onDone });
}

/** Keeps the records of a run, and prints what they come to when it says that it is done. */
async function kept(
  chosen: readonly Experiment[],
  flags: Flags,
  stopped: AbortSignal,
  work: (ledger: Ledger, onDone: () => void) => Promise<void>,
): Promise<number> {
  const output = outputFor(flags.out);
  const ledger = await Ledger.open(output, !flags.check);
  try {
    await work(ledger, () => print(ledger, output, flags));
  } finally {
    sayWhatIsDone(chosen, ledger.records, stopped);
    await ledger.close();
  }
  return ledger.records.every(isAsExpected) && ledger.differences.length === 0
    ? ExitCode.ok
    : ExitCode.expectationFailed;
}

/** Results go to stdout; with `--json` nothing else does. */
function print(ledger: Ledger, output: Output, { json, check }: Flags): void {
  const { records, differences } = ledger;
  const screen = screenOf(json ? process.stderr : process.stdout);
  const say = json ? console.error : console.log;
  if (process.stderr.isTTY) console.error(); // between what went by and what stays
  if (json) console.log(JSON.stringify(records, null, 2));
  for (const patch of differences) say(patchText(patch, screen));
  const results = summary(records, (record) => pagePath(output, record), screen);
  const last = check ? driftText(ledger) : `index: ${indexPath(output)}`;
  const totals = wrapped(totalsText(records), screen.columns);
  say(paragraphs(results, failuresText(records, screen), `${totals}\n${last}`));
}

function driftText({ records, differences }: Ledger): string {
  if (differences.length === 0) return 'Every record is as it was kept.';
  return `${differences.length} of ${plural(records.length, 'record')} not as kept: see above.`;
}

async function untilStopped({ uri, client, shards, failed }: Cluster, stopped: AbortSignal): Promise<void> {
  const members = shards.map(({ name, uri: direct }) => `  ${name}: ${direct}`);
  const databases = `  databases of the experiments: ${firstOf(await scratchNames(client))}`;
  console.error(['The cluster stays up until Ctrl-C:', `  mongosh "${uri}"`, ...members, databases].join('\n'));
  const over = AbortSignal.any([stopped, failed]);
  if (!over.aborted) await once(over, 'abort');
  console.error('Stopping …');
  failed.throwIfAborted();
}

/** After a run that was broken off; a cluster that did not start has its own words. */
function sayWhatIsDone(chosen: readonly Experiment[], records: readonly ResultRecord[], stopped: AbortSignal): void {
  const wasBroken = records.length < chosen.length && (records.length > 0 || stopped.aborted);
  if (!wasBroken) return;
  const done = records.filter(({ ended }) => ended.how !== 'cluster failed').map(({ experiment }) => experiment);
  const missing = chosen.filter(({ number }) => !done.some((one) => one.number === number));
  sayWrapped(`Completed: ${namesOf(done) || 'nothing'}. Not completed: ${namesOf(missing)}.`);
}

function namesOf(experiments: readonly Pick<Experiment, 'number' | 'name'>[]): string {
  return firstOf(experiments.map(fileName));
}

function firstOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return joined(more > 1 ? [...names.slice(0, NAMES_SHOWN), `${more} more`] : names);
}
