/** Files that are whole at any moment, and what is in them. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../cluster/distributions/folder.ts';

/** What the operating system says of a file that cannot be written. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}

/**
 * Either the old file is there or the new one, whole.
 * @throws UnwritableError
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await makeFolder(dirname(path));
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // for the reason that is told
    throw new UnwritableError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

/** @returns undefined for a text that is no JSON: the caller says which file it is of */
export function jsonIn<T>(text: string): T | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
