import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FOR_EVER, fakeServers, type TestFolder, testFolder } from './servers.fixture.ts';
import { leftovers } from './world.fixture.ts';

const PROGRAM = fileURLToPath(new URL('./called-off.fixture.ts', import.meta.url));

let programs: TestFolder;
let temporary: TestFolder;
beforeEach(async () => {
  programs = await testFolder();
  temporary = await testFolder();
});
afterEach(async () => {
  await temporary[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});

async function calledOff(mongodb: string, ...moments: number[]): Promise<{ outcome: string; left: string[] }[]> {
  const env = { TMPDIR: temporary.path };
  const args = ['--import', 'tsx', PROGRAM, mongodb, ...moments.map(String)];
  const { stdout } = await execa(process.execPath, args, { env });
  return stdout.split('\n').map((line) => JSON.parse(line));
}

it('a start that is called off while a member takes no connection leaves nothing that keeps the process alive', async () => {
  const servers = await fakeServers(programs.path, { mongod: `echo 'waiting for connections'; ${FOR_EVER}` });
  const [{ outcome, left } = { outcome: '', left: ['no result'] }] = await calledOff(servers, 700);
  expect({ outcome, left }).toEqual({ outcome: 'called off', left: [] });
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
});

it('nor does one that is called off at any other moment', async () => {
  const moments = Array.from({ length: 6 }, (_, i) => 300 + 130 * i);
  const results = await calledOff('embedded', ...moments);
  expect(results).toHaveLength(moments.length);
  expect(results.filter(({ left }) => left.length > 0)).toEqual([]);
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
});
