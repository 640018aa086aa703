import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { fakeServers, testFolder } from '../cluster/servers.fixture.ts';

const doctor = (...args: string[]) =>
  execa(process.execPath, ['scripts/start.cjs', 'doctor', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { SHARDLAB_MONGODB: '' },
    reject: false,
  });

it('prints one line for each finding, and ends with 3 when there is a problem', async () => {
  await using folder = await testFolder();
  const bin = await fakeServers(folder.path, { version: '4.4.1' });
  const healthy = await doctor('--mongodb', bin);
  expect(healthy).toMatchObject({ exitCode: 0, stderr: '' });
  expect(healthy.stdout).toMatch(/^ok {7}mongod and mongos 4\.4\.1 in .* run$/m);
  const ill = await doctor('--mongodb', folder.path);
  expect(ill).toMatchObject({ exitCode: 3, stderr: '' });
  expect(ill.stdout).toMatch(/^PROBLEM {2}There is no .*mongod → name a folder/m);
});
