/** Files that are whole at any moment, and what is in them. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../cluster/distributions/folder.ts';

/** Either the old file is there or the new one, whole. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await makeFolder(dirname(path));
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
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
