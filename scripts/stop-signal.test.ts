import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';
import { expect, it } from 'vitest';

const CLI = JSON.stringify(new URL('./cli.ts', import.meta.url).href);
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const LONGEST_MS = 120_000;

/** Arguments of Node.js for a script whose work is this. */
function script(work: string): string[] {
  const source = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { Command } from 'commander';
    const { runScript } = await import(${CLI});
    await runScript(new Command('test'), async (stopped) => { ${work}; return 0; });`;
  return ['--import', 'tsx', '--input-type=module', '-e', source];
}

const waits = script(`
  console.log('up');
  await sleep(${LONGEST_MS}, 0, { signal: stopped }).catch(() => {});
  stopped.throwIfAborted()`);

function run<O extends Options>(file: string, args: string[], options: O) {
  return execa(file, args, { cwd: REPOSITORY, reject: false, ...options } as const);
}

/** What npm does: it runs a shell, which runs the script and, unlike some, stays. */
const asNpm = { env: { npm_lifecycle_event: 'test' } };
const shell = ['-c', `"$@"; :`, 'sh', process.execPath, ...waits];

it.each([
  ['the shell that npm ran ends', 'sh', shell],
  [
    'npm ends and its shell does not',
    process.execPath,
    ['-e', `require('node:child_process').spawn('sh', process.argv.slice(1), { stdio: 'inherit' })`, '--', ...shell],
  ],
])('a script stops when %s', async (_, file, args) => {
  const subprocess = run(file, args, asNpm);
  await once(subprocess.stdout, 'data');
  subprocess.kill('SIGKILL');
  const { stdout, stderr } = await subprocess; // when the script, too, has closed them
  expect({ stdout, stderr }).toEqual({ stdout: 'up', stderr: 'stopped: npm has ended' });
});

it.runIf(process.platform === 'linux')('a stdout that cannot be written to is no success', async () => {
  const full = ['-c', '"$@" >/dev/full', 'sh', process.execPath, ...script(`console.log('result')`)];
  const { exitCode, stderr } = await run('sh', full, {});
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'stdout cannot be written to: ENOSPC: no space left on device, write',
  });
});

it('a stderr that nobody reads is no failure', async () => {
  const subprocess = run(
    process.execPath,
    script(`for (let i = 0; i < 10; i++) { console.error('progress'); await sleep(1); } console.log('result')`),
    {},
  );
  subprocess.stderr.destroy();
  const { exitCode, stdout } = await subprocess;
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'result' });
});
