/** What the scripts share that use a cluster which somebody else runs: flags, the question whether they may, and how it ends. */
import { type Command, Option } from 'commander';
import { MongoError } from 'mongodb';
import { type ExistingCluster, openExistingCluster, UnreachableError } from '../cluster/existing/cluster.ts';
import { type Target, targetOf } from '../cluster/existing/target.ts';
import { InputError } from '../cluster/index.ts';
import { ExitCode } from './cli.ts';
import { agrees } from './question.ts';

/** What the options of this file make of the command line. */
export interface ExistingFlags {
  uri: string;
  yes: boolean;
}

/** `--uri`, or `SHARDLAB_URI`: npm prints the command lines that it runs, passwords in them too. */
export function uriOption(): Option {
  const what = 'a sharded cluster that is there already; nothing of it is started, stopped or set up';
  return new Option('--uri <uri>', what).env('SHARDLAB_URI');
}

export function yesOption(): Option {
  return new Option('--yes', 'with --uri: do not ask before writing to hosts other than this one').default(false);
}

/**
 * Opens the cluster, once the user has agreed to what will be done there, and closes it again.
 * @param what is done there, in words that follow "shardlab will"
 * @returns the exit code of `work`; 3, with one sentence, when the cluster cannot be used or goes
 * @throws InputError when it is no sharded cluster or may not be written to; what `work` throws
 */
export async function withExisting(
  { uri, yes }: ExistingFlags,
  what: string,
  stopped: AbortSignal,
  work: (cluster: ExistingCluster) => Promise<number>,
): Promise<number> {
  const target = targetOf(uri);
  if (!target.isLoopback && !yes) await ask(target, what, stopped);
  try {
    const cluster = await openExistingCluster(target);
    return await work(cluster).finally(() => cluster.close());
  } catch (error) {
    if (!(error instanceof UnreachableError || error instanceof MongoError)) throw error;
    console.error(target.redact(error.message));
    return ExitCode.noCluster;
  }
}

/** @throws InputError for `--uri` beside what is only for clusters that are started here */
export function refuseBesideUri(program: Command, names: readonly string[]): void {
  if (program.getOptionValue('uri') === undefined) {
    if (program.getOptionValue('yes')) throw new InputError('--yes is only for --uri');
    return;
  }
  const options = program.options.filter((option) => names.includes(option.name()));
  const given = options.find((option) => program.getOptionValueSource(option.attributeName()) === 'cli')?.name();
  if (given)
    throw new InputError(`--${given} is only for clusters that are started here, not for --uri or SHARDLAB_URI`);
}

async function ask({ hosts }: Target, what: string, stopped: AbortSignal): Promise<void> {
  const where = hosts.join(', ');
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY) throw new InputError(`${where} is not this machine: add --yes to write to it`);
  const onInterrupt = () => process.kill(process.pid, 'SIGINT');
  const isAgreed = await agrees(`shardlab will ${what} on ${where}. Go on?`, { input, output, onInterrupt }, stopped);
  if (!isAgreed) throw new InputError('Nothing was done.');
}
