import { once } from 'node:events';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { testFolder } from './servers.fixture.ts';
import { leftovers, processesOf, watcherPid } from './world.fixture.ts';

const LIBRARY = new URL('./index.ts', import.meta.url).href;

/** A process that has started a cluster, and does what it is told when it is told something. */
async function parentOfCluster(temporary: string, end = '') {
  const script = `
    const { startCluster } = await import(${JSON.stringify(LIBRARY)});
    await startCluster({ mongodb: 'embedded', shards: 1 });
    console.log('ready');
    process.stdin.once('data', () => { ${end} });`;
  const parent = execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { TMPDIR: temporary },
    reject: false,
    cleanup: false,
  });
  await once(parent.stdout, 'data');
  return { parent }; // by itself it would be awaited
}

it.each([
  ['ends', 'process.exit(0)', 0],
  ['throws', 'throw new Error("nobody catches this")', 1],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', undefined],
])('nothing of a cluster is left when the process that started it %s', async (_, end, exitCode) => {
  await using temporary = await testFolder();
  const { parent } = await parentOfCluster(temporary.path, end);
  expect(processesOf(temporary.path)).toHaveLength(4); // three members and the watcher
  parent.stdin.write('go');
  expect((await parent).exitCode).toBe(exitCode);
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
});

it('nor when its watcher was killed before: it has a successor', async () => {
  await using temporary = await testFolder();
  const { parent } = await parentOfCluster(temporary.path);
  const first = watcherPid(temporary.path);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => watcherPid(temporary.path)).not.toBe(first);
  parent.kill('SIGKILL');
  await parent;
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
});
