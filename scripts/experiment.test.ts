import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const START = fileURLToPath(new URL('./start.cjs', import.meta.url));

/** Where the user is: outside of the repository, spaces in the path. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab user '));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(...args: string[]) {
  const env = { INIT_CWD: folder, NO_COLOR: '1' };
  const { exitCode, stdout, stderr } = await execa(process.execPath, [START, 'experiment', ...args], {
    env,
    reject: false,
  });
  return { exitCode, stdout, stderr };
}

describe.concurrent('before a cluster is started', () => {
  test('without arguments the experiments are listed', async () => {
    const { exitCode, stdout, stderr } = await run();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const numbers = stdout.split('\n').flatMap((line) => /^(\d\d)-/.exec(line)?.[1] ?? []);
    expect(numbers.slice(0, 4)).toEqual(['01', '02', '03', '04']);
  });

  test.each([
    [['unique-non-prefx'], 'there is no experiment "unique-non-prefx"; did you mean unique-non-prefix?'],
    [['1', '--no-such-flag'], "unknown option '--no-such-flag'"],
    [['1', '--fresh', '--keep'], "option '--keep' cannot be used with option '--fresh'"],
    [['1', '--mongodb', 'embeded'], 'embeded'],
    [['1', '--mongodb', 'mongodb://localhost/'], 'A cluster that is there already is given as --uri.'],
    [['--check'], 'say which experiments: all, '],
  ])('%j: one line and exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.split('\n').at(-1)).toContain(message);
  });

  test('a flag that npm took for itself is not passed over', async () => {
    const env = { INIT_CWD: folder, NO_COLOR: '1', npm_config_check: 'true' };
    const { exitCode, stderr } = await execa(process.execPath, [START, 'experiment', 'all'], { env, reject: false });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'npm kept --check for itself: write `npm run experiment -- … --check`',
    });
  });

  test.each([
    ['broken', "export default { number: 101,\n  name: 'broken' title: 'T' };", 'broken.ts:2:17: ERROR: Expected "}"'],
    [
      'fails',
      "import 'no-such-package';",
      "fails.ts cannot be loaded: Cannot find module 'no-such-package'; what a file imports is looked for from",
    ],
    [
      'taken',
      "export default { number: 3, name: 'taken', title: 'T', question: 'Q', async run(lab: object) {} };",
      '03-taken: number 3 is taken by 03-hashed-unique; choose another',
    ],
  ])('a user’s file that is %s: one line and exit code 2', async (name, source, message) => {
    await writeFile(join(folder, `${name}.ts`), source);
    const { exitCode, stdout, stderr } = await run(`./${name}.ts`, '--mongodb', 'embedded');
    expect({ exitCode, stdout, lines: stderr.split('\n').length }).toEqual({ exitCode: 2, stdout: '', lines: 1 });
    expect(stderr).toContain(message);
  });

  test('a results folder that cannot be written to: one line, exit code 2, nothing started', async () => {
    await writeFile(join(folder, 'a file'), '');
    const { exitCode, stdout, stderr } = await run('1', '--mongodb', 'embedded', '--out', 'a file/results');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^results cannot be written to .*a file\/results: EEXIST[^\n]*$/);
  });
});

test('none of these has written results', async () => {
  expect((await readdir(folder)).filter((name) => name.startsWith('shardlab'))).toEqual([]);
});
