import { describe, expect, it } from 'vitest';
import { type Facts, parseLimits, parseProcessor, readFacts } from './facts.ts';
import { findingText } from './index.ts';
import { abandonedHomes } from './leftovers.ts';
import { machineFindings } from './machine.ts';
import { resourceFindings } from './resources.ts';

/** A machine on which everything runs, changed. */
const facts = (change: Partial<Facts> = {}): Facts => ({
  platform: 'linux',
  arch: 'x64',
  kernel: '6.1.0-13-amd64',
  processor: new Set(['sse4_2', 'avx']),
  memory: 4e9,
  disk: 20e9,
  dataFolder: '/tmp',
  descriptors: 1_048_576,
  ...change,
});
/** What is not in order, for people. */
const machineComplaints = (change: Partial<Facts>, version: string) =>
  machineFindings(facts(change), version)
    .filter(({ severity }) => severity !== 'ok')
    .map(findingText);
const resourceComplaints = (change: Partial<Facts>) =>
  resourceFindings(facts(change))
    .filter(({ severity }) => severity !== 'ok')
    .map(findingText);

describe('a machine', () => {
  it('on which everything runs is found in order, and says so', () => {
    expect(machineFindings(facts(), '8.0.4').map(({ severity }) => severity)).toEqual(['ok', 'ok']);
    expect(resourceFindings(facts()).map(({ severity }) => severity)).toEqual(['ok', 'ok', 'ok']);
  });

  it('without AVX runs 4.4 only', () => {
    const old = { processor: new Set(['sse4_2']) };
    expect(machineComplaints(old, '4.4.29')).toEqual([]);
    for (const version of ['5.0.1', '8.0.4', '9.0.0-alpha0']) {
      expect(machineComplaints(old, version)).toEqual([
        'MongoDB 5.0 and newer need a processor with AVX, and this one has none: servers will be killed by SIGILL → use --mongodb 4.4; in a virtual machine, pass the host’s processor on',
      ]);
    }
    expect(machineComplaints({ processor: new Set() }, '8.0.4')).toEqual([]); // not known
  });

  it('with arm64 of an older generation likewise', () => {
    const arm = (...features: string[]) => ({ arch: 'arm64', processor: new Set(['fp', ...features]) });
    expect(machineComplaints(arm('atomics'), '5.0.1')).toEqual([]);
    expect(machineComplaints(arm(), '5.0.1')).toEqual([expect.stringContaining('the instructions of ARMv8.2-A')]);
  });

  it.each<[string, string, boolean]>([
    ['6.18.7-200.fc43.x86_64', '8.0.4', true],
    ['6.19.0-1-generic', '8.0.4', false],
    ['6.19.0-1-generic', '9.0.0-rc1', false],
    ['6.19.0-1-generic', '7.0.31', true],
    ['7.0.13', '8.2.6', false],
    ['7.0.14-generic', '8.2.6', true],
    ['7.1.2', '8.0.30', true],
  ])('with Linux %s and MongoDB %s', (kernel, version, fine) => {
    expect(machineComplaints({ kernel }, version)).toEqual(
      fine
        ? []
        : [expect.stringMatching(/SERVER-121912\) → update Linux to 7\.0\.14 or newer, or use --mongodb 7\.0$/)],
    );
    expect(machineComplaints({ kernel, platform: 'darwin' }, version)).toEqual([]);
  });

  it('with Apple silicon needs Rosetta for old versions', () => {
    const mac = { platform: 'darwin', arch: 'arm64', kernel: '24.1.0', processor: new Set<string>() };
    expect(machineComplaints(mac, '6.0.1')).toEqual([]);
    expect(machineComplaints(mac, '4.4.1')).toEqual([
      expect.stringMatching(/needs Rosetta → install it with `softwareupdate/),
    ]);
    expect(machineComplaints(mac, '5.0.1')).toEqual([expect.stringContaining('needs Rosetta of macOS 15 or newer → ')]);
  });
});

describe('room', () => {
  it.each<[string, Partial<Facts>, string]>([
    [
      'memory',
      { memory: 0.3e9 },
      'Only 0.3 GB of memory are free; a cluster of two shards takes up to 0.8 GB → end other programs, or use --shards 1',
    ],
    [
      'disk',
      { disk: 0.2e9 },
      'Only 0.2 GB of disk are free in /tmp; a cluster takes up to 1.0 GB → make room, or name another folder with TMPDIR',
    ],
    [
      'open files',
      { descriptors: 256 },
      'A server may have only 256 files open; many collections need more → raise it with `ulimit -n 64000`',
    ],
  ])('for %s', (_, change, complaint) => {
    expect(resourceComplaints(change)).toEqual([complaint]);
  });

  it('is not missed where it is not known', () => {
    expect(resourceComplaints({ disk: undefined, descriptors: undefined })).toEqual([]);
  });
});

describe('facts', () => {
  it('are read from what Linux writes', () => {
    expect(parseProcessor('model name\t: x\nflags\t\t: fpu avx\n\nflags\t\t: other\n')).toEqual(
      new Set(['fpu', 'avx']),
    );
    expect(parseProcessor('Features\t: fp atomics\n')).toEqual(new Set(['fp', 'atomics']));
    expect(parseProcessor('')).toEqual(new Set());
    expect(
      parseLimits(
        'Max cpu time   unlimited  unlimited  seconds\nMax open files            1024                 4096  files\n',
      ),
    ).toBe(1024);
    expect(parseLimits('Max open files  unlimited  unlimited  files')).toBe(Number.POSITIVE_INFINITY);
    expect(parseLimits('')).toBeUndefined();
  });

  it('of this machine make sense', async () => {
    const { memory, disk, descriptors, kernel } = await readFacts();
    expect(Math.min(memory, disk ?? 1, descriptors ?? 1)).toBeGreaterThan(0);
    expect(kernel).toMatch(/^\d+\.\d+/);
  });
});

it('a folder without a watcher is abandoned, with the processes that use it', () => {
  const processes = [
    { pid: 1, command: 'node /x/watcher-process.mjs /tmp/shardlab-aaaaaa SHARDLAB_CLUSTER=/tmp/shardlab-aaaaaa' },
    { pid: 2, command: 'mongod --dbpath /tmp/shardlab-aaaaaa/sh0' },
    { pid: 3, command: 'mongod --dbpath /tmp/shardlab-bbbbbb/sh0' },
  ];
  expect(abandonedHomes(['/tmp/shardlab-aaaaaa', '/tmp/shardlab-bbbbbb', '/tmp/shardlab-cccccc'], processes)).toEqual([
    { folder: '/tmp/shardlab-bbbbbb', pids: [3] },
    { folder: '/tmp/shardlab-cccccc', pids: [] },
  ]);
});
