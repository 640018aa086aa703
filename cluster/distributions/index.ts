/** Where `mongod` and `mongos` come from: chooses between the distributions. */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { EmbeddedUnavailableError } from '../embedded/unavailable.ts';
import { InputError } from '../errors.ts';
import { DownloadError } from './download/errors.ts';
import { DEFAULT_VERSION, isVersionOrRange } from './download/versions.ts';
import { type DownloadOptions, resolveCached, resolveDownload } from './download.ts';
import { resolveEmbedded } from './embedded.ts';
import { resolveFolder, resolveSystem } from './system.ts';

/** A pair of executables. */
export interface Distribution {
  kind: 'system' | 'download' | 'embedded';
  /** Absolute paths. */
  mongod: string;
  mongos: string;
  /** What both say of themselves: `8.0.4`. */
  version: string;
}

/**
 * @param mongodb `auto`, `system`, `embedded`, a version (`8.0.4`), a range (`8.0`, `>=6 <8`, `latest`), or a folder that holds `mongod` and `mongos`
 * @param environment of this process; what is run to look at the servers gets it
 * @param notice told in one line when `auto` falls back, and why; told how a download gets on
 * @param signal ends a download with its reason
 * @throws InputError when it names nothing usable; an explicit choice never falls back
 * @throws DownloadError when a version was asked for and cannot be had
 * @throws EmbeddedUnavailableError when the embedded servers cannot run on this machine
 */
export async function resolveDistribution(
  mongodb: string,
  environment: NodeJS.ProcessEnv,
  notice: (line: string) => void,
  signal?: AbortSignal,
): Promise<Distribution> {
  refuseUnknown(mongodb);
  const options = { environment, say: notice, signal };
  if (mongodb === 'auto') return automatic(options);
  if (mongodb === 'system') return resolveSystem(environment);
  if (mongodb === 'embedded') return embedded();
  if (isVersionOrRange(mongodb)) return resolveDownload(mongodb, options);
  return resolveFolder(resolve(mongodb), environment);
}

/** @throws InputError when the text names nothing, whether it can be had or not */
export function refuseUnknown(mongodb: string): void {
  if (typeof mongodb !== 'string') throw new InputError(`mongodb must be a text like '8.0', not ${mongodb}`);
  if (isDistributionName(mongodb) || isFolderName(mongodb)) return;
  throw new InputError(
    `mongodb "${mongodb}" is none of ${NAMES.join(', ')}, no version, and no folder that holds mongod and mongos`,
  );
}

/** Whether the text names a distribution by itself, not by a folder. */
export function isDistributionName(text: string): boolean {
  return NAMES.includes(text) || isVersionOrRange(text);
}

const NAMES: readonly string[] = ['auto', 'system', 'embedded'];

function isFolderName(text: string): boolean {
  return isAbsolute(text) || text.includes(sep) || text.includes('/') || existsSync(text);
}

async function automatic(options: DownloadOptions): Promise<Distribution> {
  const { environment, say } = options;
  const version = environment.MONGOMS_VERSION || DEFAULT_VERSION;
  const obstacles: string[] = [];
  const pass = (kind: typeof InputError | typeof DownloadError) => (error: unknown) => {
    if (!(error instanceof kind)) throw error;
    obstacles.push(error.message);
  };
  const real =
    (await resolveSystem(environment).catch(pass(InputError))) ??
    (await resolveCached(version, environment)) ??
    (await resolveDownload(version, options).catch(pass(DownloadError)));
  if (real) return real;
  const why = obstacles.join('; ');
  const distribution = await embedded().catch((error: unknown) => {
    if (!(error instanceof EmbeddedUnavailableError)) throw error;
    throw new EmbeddedUnavailableError(`${error.reason}, and nothing else was found (${why})`, { cause: error });
  });
  say(`Using the embedded servers, whose routing is a model: ${why}`);
  return distribution;
}

async function embedded(): Promise<Distribution> {
  return { kind: 'embedded', ...(await resolveEmbedded()) };
}
