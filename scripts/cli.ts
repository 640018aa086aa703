/** What the npm-run scripts share: options, paths as the user means them, one-line errors and exit codes. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import { isDistributionName } from '../cluster/distributions/index.ts';
import {
  ClusterStartError,
  DownloadError,
  EmbeddedUnavailableError,
  InputError,
  MemberDiedError,
  type ProgressStep,
} from '../cluster/index.ts';
import { UnwritableError } from './files.ts';
import { Interrupted, stopSignal } from './stop-signal.ts';
import { screenOf, wrapped } from './terminal.ts';

/** Exit codes of every script. */
export const ExitCode = { ok: 0, expectationFailed: 1, wrongInput: 2, noCluster: 3 } as const;

/**
 * Runs a script to its end and sets the exit code: 2 and one line for wrong input, 3 and the server's own lines when a
 * cluster could not be started or lost a member, 128 + n after signal n. Anything else is a fault of this project and is thrown on, whole.
 * @param work begins when the command line has been parsed; gets the signal of {@link stopSignal}; returns the exit code
 */
export async function runScript(program: Command, work: (stopped: AbortSignal) => Promise<number>): Promise<void> {
  const stopped = stopSignal();
  try {
    parse(program);
    process.exitCode = await work(stopped);
    await nextTurn(); // a failure to write the last line is known by then
    if (stopped.reason instanceof InputError) throw stopped.reason;
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    if (error instanceof Error && error.message) console.error(error.message);
  }
}

/** What {@link mongodbOption} and {@link shardsOption} make of the command line. */
export interface ClusterFlags {
  mongodb: string;
  shards: number;
}

/** Colours for stderr. */
export const { colors } = screenOf(process.stderr);

/** Says on stderr how a starting cluster gets on, one line for each part that is up. */
export function sayProgress({ what, state, ms }: ProgressStep): void {
  if (state !== 'done') return;
  const text = `${PROGRESS[what] ?? `${what} is up`} (${(ms / 1000).toFixed(1)} s)`;
  console.error(colors.dim(wrapped(text, screenOf(process.stderr).columns, '  ')));
}

const PROGRESS: Readonly<Record<string, string>> = {
  shards: 'the shards are registered',
  settling: 'nothing moves any more',
  check: 'a sharded write and a read worked',
};

/** `--mongodb`, its default from `SHARDLAB_MONGODB`; a folder is meant from where the user called npm. */
export function mongodbOption(): Option {
  return new Option(
    '--mongodb <where>',
    'auto, system, embedded, a version or range to download (8.0), or a folder that holds mongod and mongos',
  )
    .env('SHARDLAB_MONGODB')
    .default('auto')
    .argParser(distributionChoice);
}

/** A name, version or range as it is; anything that may be a folder as an absolute path, from where the user called npm. */
export function distributionChoice(given: string): string {
  if (given === '' || isDistributionName(given)) return given;
  if (/^mongodb(\+srv)?:/.test(given))
    throw new InvalidArgumentError('A cluster that is there already is given as --uri.');
  const path = userPath(given);
  return /[\\/]/.test(given) || existsSync(path) ? path : given;
}

/** `--shards`, from 1 to 32. */
export function shardsOption(): Option {
  return new Option('--shards <number>', 'number of shards').default(2).argParser((text) => {
    const shards = Number(text);
    if (!Number.isInteger(shards) || shards < 1 || shards > 32) {
      throw new InvalidArgumentError('It must be a whole number from 1 to 32.');
    }
    return shards;
  });
}

/** A path as the user means it: `npm run` changes the folder and keeps the user's own in `INIT_CWD`. */
export function userPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** The one of `names` that was probably meant by `given`; undefined when none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const nearest = closest(given, names);
  return distance(given, nearest) <= Math.max(2, Math.floor(given.length / 3)) ? nearest : undefined;
}

function parse(program: Command): void {
  refuseWhatNpmKept(program);
  const silent = { writeErr: () => {} }; // the error is thrown, and printed once
  program.exitOverride().configureOutput(silent).parse();
}

/** npm has flags of its own by these names, which may be set for good in a .npmrc. */
const NPMS_OWN = ['json', 'offline', 'only', 'yes'];

/** Flags before `--` never reach a script: npm takes them for settings of its own, and `--check` would check nothing. */
function refuseWhatNpmKept(program: Command): void {
  const names = program.options.map((option) => option.name()).filter((name) => !NPMS_OWN.includes(name));
  const kept = names.find((name) => process.env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined);
  if (kept) throw new InputError(`npm kept --${kept} for itself: write \`${program.name()} … --${kept}\``);
}

const NO_CLUSTER = [ClusterStartError, DownloadError, EmbeddedUnavailableError, MemberDiedError];

/** Whether the error's message holds all that a user needs; anything else is a fault of this project. */
export function isExplained(error: unknown): error is Error {
  return [...NO_CLUSTER, InputError, Interrupted].some((kind) => error instanceof kind);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return error.exitCode;
  if (NO_CLUSTER.some((kind) => error instanceof kind)) return ExitCode.noCluster;
  if (error instanceof InputError || error instanceof UnwritableError) return ExitCode.wrongInput;
  if (error instanceof CommanderError) return commanderExit(error);
  throw error;
}

/** `--help` and `--version` are thrown too, with code 0 and everything already printed. */
function commanderExit(error: CommanderError): number {
  error.message = error.exitCode === 0 ? '' : error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return error.exitCode === 0 ? ExitCode.ok : ExitCode.wrongInput;
}
