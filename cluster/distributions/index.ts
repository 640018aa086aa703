/** Where `mongod` and `mongos` come from: chooses between the distributions. */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { InputError } from '../errors.ts';
import { resolveEmbedded } from './embedded.ts';
import { resolveFolder, resolveSystem } from './system.ts';

/** A pair of executables. */
export interface Distribution {
  kind: 'system' | 'embedded';
  /** Absolute paths. */
  mongod: string;
  mongos: string;
  /** What both say of themselves: `8.0.4`. */
  version: string;
}

/**
 * @param mongodb `auto`, `system`, `embedded`, or a folder that holds `mongod` and `mongos`
 * @param environment of this process; what is run to look at the servers gets it
 * @param notice told in one line when `auto` falls back, and why
 * @throws InputError when it names nothing usable; an explicit choice never falls back
 * @throws EmbeddedUnavailableError when the embedded servers cannot run on this machine
 */
export async function resolveDistribution(
  mongodb: string,
  environment: NodeJS.ProcessEnv,
  notice: (line: string) => void,
): Promise<Distribution> {
  if (mongodb === 'auto') return automatic(environment, notice);
  if (mongodb === 'system') return resolveSystem(environment);
  if (mongodb === 'embedded') return embedded();
  if (VERSION.test(mongodb)) {
    throw new InputError(
      `mongodb "${mongodb}": this version of shardlab does not download servers; name a folder that holds mongod and mongos`,
    );
  }
  if (isFolderName(mongodb)) return resolveFolder(resolve(mongodb), environment);
  throw new InputError(
    `mongodb "${mongodb}" is none of ${NAMES.join(', ')}, and no folder that holds mongod and mongos`,
  );
}

/** Whether the text names a distribution by itself, not by a folder. */
export function isDistributionName(text: string): boolean {
  return NAMES.includes(text) || VERSION.test(text);
}

const NAMES: readonly string[] = ['auto', 'system', 'embedded'];
const VERSION = /^v?\d+(\.\d+){0,2}$/;

function isFolderName(text: string): boolean {
  return isAbsolute(text) || text.includes(sep) || text.includes('/') || existsSync(text);
}

async function automatic(environment: NodeJS.ProcessEnv, notice: (line: string) => void): Promise<Distribution> {
  try {
    return await resolveSystem(environment);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const distribution = await embedded();
    notice(`Using the embedded servers, whose routing is a model: ${error.message}`);
    return distribution;
  }
}

async function embedded(): Promise<Distribution> {
  return { kind: 'embedded', ...(await resolveEmbedded()) };
}
