import { once } from 'node:events';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { testFolder } from './servers.fixture.ts';
import { leftovers, processesOf } from './world.fixture.ts';

const LIBRARY = new URL('./index.ts', import.meta.url).href;

it.each([
  ['ends', 'process.exit(0)', 0],
  ['throws', 'throw new Error("nobody catches this")', 1],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', undefined],
])('nothing of a cluster is left when the process that started it %s', async (_, end, exitCode) => {
  await using temporary = await testFolder();
  const script = `
    const { startCluster } = await import(${JSON.stringify(LIBRARY)});
    await startCluster({ mongodb: 'embedded', shards: 1 });
    console.log('ready');
    process.stdin.once('data', () => { ${end} });`;
  const parent = execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { TMPDIR: temporary.path },
    reject: false,
    cleanup: false,
  });
  await once(parent.stdout, 'data');
  expect(processesOf(temporary.path)).toHaveLength(4); // three members and the watcher
  parent.stdin.write('go');
  expect((await parent).exitCode).toBe(exitCode);
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
});
