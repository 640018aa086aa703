import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { fakeServers, testFolder } from '../servers.fixture.ts';
import { leftovers } from '../world.fixture.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('what may go wrong is said before a cluster starts', async () => {
  await using folder = await testFolder();
  const temporary = await testFolder();
  const bin = await fakeServers(folder.path, {});
  const command = `ulimit -n 256 && exec '${process.execPath}' scripts/start.cjs cluster --mongodb '${bin}'`;
  const env = { TMPDIR: temporary.path };
  const starting = execa('sh', ['-c', command], { cwd: ROOT, env, reject: false, cleanup: false });
  await once(starting.stderr, 'data');
  starting.kill('SIGINT');
  expect((await starting).stderr).toContain('Warning: A server may have only 256 files open');
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
  await temporary[Symbol.asyncDispose]();
});
