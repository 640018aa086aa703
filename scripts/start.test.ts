import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const START = fileURLToPath(new URL('./start.cjs', import.meta.url));

async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, { env, reject: false });
  return { exitCode, stdout, stderr };
}

test('an old Node.js is told in one sentence', async () => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' });
    Object.defineProperty(process, 'version', { value: 'v18.20.4' });
    require(${JSON.stringify(START)});`;
  expect(await run(['-e', old, '--', 'experiment'])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'shardlab needs Node.js 20.19 or newer; this is v18.20.4. Install one from https://nodejs.org and try again.',
  });
});

test('so is who has not installed the packages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shardlab user '));
  await copyFile(START, join(folder, 'start.cjs'));
  expect(await run([join(folder, 'start.cjs'), 'experiment'])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'shardlab is not installed yet: run `npm ci` first.',
  });
  await rm(folder, { recursive: true });
});

test('so is who has no room for temporary files', async () => {
  expect(await run([START, 'experiment'], { TMPDIR: '/no/such folder' })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'The temporary folder /no/such folder cannot be written to (ENOENT): name another with TMPDIR.',
  });
});
