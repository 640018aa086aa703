/** Whether there is room for a cluster. Pure. */
import type { Facts } from './facts.ts';
import { type Finding, ok, warning } from './finding.ts';

/** A cluster of two shards: embedded servers take about 0.5 GB (measured); three idle mongod and a mongos about as much and half again. */
const MEMORY = 800e6;
/** Each mongod keeps at least two journal files of 100 MB (WiredTiger's `log=(file_max=100MB)`), and there are three. */
const DISK = 1e9;
/** WiredTiger keeps files open for every collection and index; mongod itself warns below 64,000. */
const DESCRIPTORS = 1_024;

/** Memory, disk and open files, as far as they are known. */
export function resourceFindings({ memory, disk, dataFolder, descriptors }: Facts): Finding[] {
  return [
    freeMemory(memory),
    ...(disk === undefined ? [] : [freeDisk(disk, dataFolder)]),
    ...(descriptors === undefined ? [] : [openFiles(descriptors)]),
  ];
}

function freeMemory(bytes: number): Finding {
  if (bytes >= MEMORY) return ok(`${gigabytes(bytes)} of memory are free`);
  return warning(
    `Only ${gigabytes(bytes)} of memory are free; a cluster of two shards takes up to ${gigabytes(MEMORY)}`,
    'end other programs, or use --shards 1',
  );
}

function freeDisk(bytes: number, folder: string): Finding {
  if (bytes >= DISK) return ok(`${gigabytes(bytes)} of disk are free in ${folder}`);
  return warning(
    `Only ${gigabytes(bytes)} of disk are free in ${folder}; a cluster takes up to ${gigabytes(DISK)}`,
    'make room, or name another folder with TMPDIR',
  );
}

function openFiles(limit: number): Finding {
  if (limit === Number.POSITIVE_INFINITY) return ok('A server may have any number of files open');
  if (limit >= DESCRIPTORS) return ok(`A server may have ${limit} files open`);
  return warning(
    `A server may have only ${limit} files open; many collections need more`,
    'raise it with `ulimit -n 64000`',
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
