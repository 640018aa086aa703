/** Finds experiments: this project's numbered files, and files of a user's own. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { register } from 'tsx/cjs/api';
import { InputError } from '../../cluster/errors.ts';
import { type Experiment, validateExperiment } from './define.ts';

const FOLDER = new URL('../', import.meta.url);

/** Every numbered experiment of this project, in order. */
export async function builtInExperiments(): Promise<Experiment[]> {
  const files = readdirSync(FOLDER).filter((file) => /^\d+-.+(?<!\.test)\.ts$/.test(file));
  const experiments = await Promise.all(files.map((file) => loadExperiment(fileURLToPath(new URL(file, FOLDER)))));
  return experiments.sort((one, other) => one.number - other.number);
}

/**
 * Loads one file.
 * @param path absolute, anywhere; TypeScript is run as it is in a process that was started through tsx
 * @throws InputError when there is no such file, it cannot be loaded, or what it exports is no experiment
 */
export async function loadExperiment(path: string): Promise<Experiment> {
  if (!existsSync(path)) throw new InputError(`there is no file ${path}`);
  if (!statSync(path).isFile()) throw new InputError(`${path} is no file`);
  return validateExperiment((await imported(path)).default, basename(path));
}

async function imported(path: string): Promise<{ default?: unknown }> {
  loadTypeScriptAsCommonJs();
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new InputError(`${basename(path)} cannot be loaded: ${headline(error)}${hint(error)}`, { cause: error });
  }
}

function hint(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return String(code).endsWith('MODULE_NOT_FOUND') ? '; what a file imports is looked for from its own folder' : '';
}

let isRegistered = false;

/** What a `.ts` file is where no package.json says `"type": "module"`. Once: each registration would wrap the one before. */
function loadTypeScriptAsCommonJs(): void {
  if (!isRegistered) register();
  isRegistered = true;
}

/** In one line, without the compiler's preamble and the loader's stack. */
function headline(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [said = ''] = text.split('\nRequire stack:');
  return said
    .replace(/^Transform failed with \d+ errors?:/, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
}
