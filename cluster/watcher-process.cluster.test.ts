import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestFolder, testFolder } from './servers.fixture.ts';
import { leftovers } from './world.fixture.ts';

const PROGRAM = fileURLToPath(new URL('./watcher-process.mjs', import.meta.url));

let temporary: TestFolder;
let home: string;
let watcher: ChildProcess;
const innocent: ChildProcess[] = [];

beforeEach(async () => {
  temporary = await testFolder();
  home = mkdtempSync(join(temporary.path, 'shardlab-'));
  watcher = spawn(process.execPath, [PROGRAM, home, mark()], { stdio: ['pipe', 'ignore', 'ignore'] });
});

afterEach(async () => {
  watcher.kill('SIGKILL');
  for (const child of innocent.splice(0)) child.kill('SIGKILL');
  await temporary[Symbol.asyncDispose]();
});

const mark = () => `SHARDLAB_CLUSTER=${home}`;
const marked = () => ({ ...process.env, SHARDLAB_CLUSTER: home });

function run(script: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('sh', ['-c', script], { detached: true, env, stdio: 'ignore' });
}

async function endOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

describe('when its stdin ends', () => {
  it('kills the members it was told of, with what they have started, and removes the folder', async () => {
    const member = run('sleep 60 & wait', process.env);
    watcher.stdin?.end(`${member.pid}\n`);
    expect(await endOf(member)).toBe('SIGKILL');
    expect(await endOf(watcher)).toBeNull();
    expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
  });

  it('finds members that it was not told of, by their environment', async () => {
    const late = run('exec sleep 60', marked());
    watcher.stdin?.end();
    expect(await endOf(late)).toBe('SIGKILL');
    await endOf(watcher);
  });

  it('leaves everybody else alone', async () => {
    const other = run('exec sleep 60', { ...process.env, SHARDLAB_CLUSTER: `${home}-of-another` });
    innocent.push(other);
    watcher.stdin?.end('999999999\n');
    await endOf(watcher);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  });

  it('does nothing when the cluster was stopped', async () => {
    const other = run('exec sleep 60', marked());
    innocent.push(other);
    watcher.stdin?.end('done\n');
    await endOf(watcher);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    expect(readdirSync(temporary.path)).toHaveLength(1);
  });
});

it.runIf(process.platform === 'linux')('outlives the signals of a terminal', async () => {
  const member = run('exec sleep 60', marked());
  await expect.poll(() => caughtSignals(watcher) & 0x4003).toBe(0x4003); // the bits of signals 1, 2 and 15
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) watcher.kill(signal);
  watcher.stdin?.end(`${member.pid}\n`);
  expect(await endOf(member)).toBe('SIGKILL');
  expect(await endOf(watcher)).toBeNull();
});

/** The lower half of proc(5)'s `SigCgt`. */
function caughtSignals({ pid }: ChildProcess): number {
  return Number.parseInt(/^SigCgt:\s*\w{8}(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '', 16);
}
