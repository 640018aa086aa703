/** Folders that are made with those above them. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * As `mkdir` with `recursive`, which in Node.js 20 never ends where a folder takes no others and says ENOENT (/proc, an automounter's), and
 * says ENOENT of a disk that is read-only.
 * @returns the outermost folder that was made; undefined when all were there
 * @throws the file system's error
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  const above = dirname(path);
  const outermost = above === path ? undefined : await makeFolder(above, mode);
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!(await isFolder(path))) throw error; // unless another process was faster
  }
  return outermost ?? path;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
