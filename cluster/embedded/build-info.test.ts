import { expect, test } from 'vitest';
import { versionText } from './build-info.ts';

const info = {
  version: '9.0.0-alpha0',
  gitVersion: 'nogitversion',
  modules: ['embedded'],
  allocator: 'system',
  buildEnvironment: { distarch: 'x86_64', target_arch: 'x86_64', ccflags: 'left out' },
};

test.each([
  ['mongod', 'db version v9.0.0-alpha0'],
  ['mongos', 'mongos version v9.0.0-alpha0'],
] as const)('%s says its version, then its build as JSON', (program, head) => {
  const [first, second, ...rest] = versionText(program, info).split('\n');
  expect([first, second]).toEqual([head, 'Build Info: {']);
  expect(JSON.parse(`{${rest.join('\n')}`)).toEqual({
    version: '9.0.0-alpha0',
    gitVersion: 'nogitversion',
    modules: ['embedded'],
    allocator: 'system',
    environment: { distarch: 'x86_64', target_arch: 'x86_64' },
  });
});
