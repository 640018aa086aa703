/** Takes `mongod` and `mongos` out of an archive, and nothing else. */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract } from 'tar-stream';
import { Obstacle } from './errors.ts';

/** Written under these names, whatever an archive says. */
const PROGRAMS = ['mongod', 'mongos'] as const;
type Program = (typeof PROGRAMS)[number];

/**
 * @param archive a gzipped tar file with `<name>/bin/mongod` and `<name>/bin/mongos`, as MongoDB publishes them
 * @param folder where the two go, executable
 * @throws Obstacle when the archive is damaged, lacks one of them, or has an entry that leads out of its folder; the file system's error
 */
export async function unpack(archive: string, folder: string): Promise<void> {
  const entries = extract();
  const [read, taken] = await Promise.allSettled([
    pipeline(createReadStream(archive), createGunzip(), entries),
    takePrograms(entries, folder),
  ]);
  if (taken.status === 'rejected') throw damaged(taken.reason); // it ends the reading too
  if (read.status === 'rejected') throw damaged(read.reason);
  const missing = PROGRAMS.filter((program) => !taken.value.has(program));
  if (missing.length > 0) throw new Obstacle(`the archive holds no bin/${missing.join(' and no bin/')}`);
}

/** Whether a path in an archive stays inside the folder that it is unpacked to, on any system. */
export function staysInside(path: string): boolean {
  return !/^([\\/]|[a-z]:)/i.test(path) && !path.split(/[\\/]/).includes('..');
}

async function takePrograms(entries: Extract, folder: string): Promise<Set<Program>> {
  const taken = new Set<Program>();
  for await (const entry of entries) {
    const { name, type } = entry.header;
    if (!staysInside(name)) throw new Obstacle(`the archive has an entry that leads out of its folder: ${name}`);
    const program = type === 'file' ? PROGRAMS.find((each) => PATH[each].test(name)) : undefined;
    if (!program) entry.resume();
    else {
      await pipeline(entry, createWriteStream(join(folder, program), { mode: 0o755, flush: true }));
      taken.add(program);
    }
  }
  return taken;
}

const PATH: Readonly<Record<Program, RegExp>> = {
  mongod: /^(\.\/)?[^/]+\/bin\/mongod$/,
  mongos: /^(\.\/)?[^/]+\/bin\/mongos$/,
};

/** The operating system's errors have a call's name; those of gzip and tar have none. */
function damaged(error: unknown): unknown {
  if (error instanceof Obstacle || (error as NodeJS.ErrnoException).syscall) return error;
  return new Obstacle(`the archive is damaged (${(error as Error).message})`, { cause: error });
}
