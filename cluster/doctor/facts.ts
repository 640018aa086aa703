/** What the checks of this machine are made from, read all at once so that the checks themselves are pure. */
import { readFile, statfs } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { execa } from 'execa';

/** A machine as it is now. */
export interface Facts {
  /** As `process.platform` and `process.arch` say it. */
  platform: string;
  arch: string;
  /** Of the operating system's kernel: `6.1.0-13-amd64`. */
  kernel: string;
  /** What the processor can do, in Linux's words; empty where that is not known. */
  processor: ReadonlySet<string>;
  /** Bytes of memory that a process may still take. */
  memory: number;
  /** Bytes of disk that are free where clusters keep their data; undefined where that is not known. */
  disk: number | undefined;
  /** Where that is. */
  dataFolder: string;
  /** How many files a process may have open; undefined where that is not known. */
  descriptors: number | undefined;
}

/** For the shell to say its limit, in milliseconds. */
const SHELL_LIMIT_MS = 2_000;

/** Facts of this machine; takes some milliseconds. */
export async function readFacts(): Promise<Facts> {
  const dataFolder = tmpdir();
  const [processor, disk, descriptors] = await Promise.all([readProcessor(), readDisk(dataFolder), readDescriptors()]);
  return {
    platform: process.platform,
    arch: process.arch,
    kernel: release(),
    processor,
    memory: process.availableMemory(),
    disk,
    dataFolder,
    descriptors,
  };
}

async function readProcessor(): Promise<ReadonlySet<string>> {
  return parseProcessor(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''));
}

/** The flags in `/proc/cpuinfo` (https://man7.org/linux/man-pages/man5/proc_cpuinfo.5.html), of its first processor. */
export function parseProcessor(cpuinfo: string): ReadonlySet<string> {
  const [, flags = ''] = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuinfo) ?? [];
  return new Set(flags.split(/\s+/).filter(Boolean));
}

async function readDisk(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined); // not every file system knows
  return found && found.bavail * found.bsize;
}

/** Servers inherit this process's limit, which Node.js has raised as far as it may; a shell inherits it too. */
async function readDescriptors(): Promise<number | undefined> {
  if (process.platform === 'linux') return parseLimits(await readFile('/proc/self/limits', 'utf8').catch(() => ''));
  if (process.platform === 'win32') return undefined;
  const { stdout } = await execa('sh', ['-c', 'ulimit -n'], { reject: false, timeout: SHELL_LIMIT_MS });
  return parseLimit(stdout);
}

/** The soft limit of open files in `/proc/<pid>/limits` (https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html). */
export function parseLimits(limits: string): number | undefined {
  return parseLimit(/^Max open files\s+(\S+)/m.exec(limits)?.[1]);
}

function parseLimit(text = ''): number | undefined {
  if (text === 'unlimited') return Number.POSITIVE_INFINITY;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
