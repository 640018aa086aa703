import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab-path-'));
  installed = join(folder, 'google-chrome');
  await writeFile(installed, '');
  await chmod(installed, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

test('the browser on PATH is found', () => {
  expect(findChromium({ PATH: ['/no/such', folder].join(delimiter) })).toBe(installed);
});

test('CHROMIUM_PATH goes before it, and must exist', () => {
  expect(findChromium({ PATH: folder, CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  expect(() => findChromium({ PATH: folder, CHROMIUM_PATH: '/no/such' })).toThrow(
    'CHROMIUM_PATH names /no/such, which does not exist.',
  );
});

test('without one, a sentence says what to install', () => {
  expect(() => findChromium({ PATH: '/no/such' })).toThrow(/install it with `apt-get install chromium`/);
});
