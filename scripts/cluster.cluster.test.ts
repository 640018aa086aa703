import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveEmbedded } from '../cluster/distributions/embedded.ts';
import { fakeServers, type TestFolder, testFolder } from '../cluster/servers.fixture.ts';
import { leftovers } from '../cluster/world.fixture.ts';

const START = fileURLToPath(new URL('./start.cjs', import.meta.url));

let temporary: TestFolder;
beforeEach(async () => {
  temporary = await testFolder();
});

/** Whatever happens to a run, nothing of it is left. */
afterEach(async () => {
  const left = await leftovers(temporary.path);
  await temporary[Symbol.asyncDispose]();
  expect(left).toEqual({ processes: [], files: [] });
});

/** A run of the script, with the test's folder as its temporary folder. */
function run(...args: string[]) {
  const env = { TMPDIR: temporary.path, NO_COLOR: '1' };
  const options = { env, reject: false, cleanup: false, forceKillAfterDelay: 120_000 } as const; // on a laden machine it takes its time
  const subprocess = execa(process.execPath, [START, 'cluster', ...args], options);
  return {
    subprocess,
    /** Resolves when stderr holds the text. */
    says: (text: string) =>
      new Promise<void>((resolve, reject) => {
        let said = '';
        subprocess.stderr.on('data', (chunk) => {
          said += chunk;
          if (said.includes(text)) resolve();
        });
        subprocess.stderr.once('end', () => reject(new Error(`it never said "${text}" but:\n${said}`)));
      }),
  };
}

it('prints the URI alone on stdout, how to connect on stderr, and stops at Ctrl-C', async () => {
  const { subprocess, says } = run('--mongodb', 'embedded', '--shards', '1');
  subprocess.stdout.once('data', async (uri) => {
    await using client = new MongoClient(String(uri).trim());
    await client.db('test').collection('c').insertOne({ here: true });
    subprocess.kill('SIGINT');
  });
  await says('Stopped; nothing is left of it.');
  const { exitCode, stdout, stderr } = await subprocess;
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^mongodb:\/\/127\.0\.0\.1:\d+\/$/),
  });
  expect(stderr).toContain('routing and metadata are a model, not MongoDB');
  expect(stderr).toContain(`mongosh "${stdout}"`);
  expect(stderr.match(/127\.0\.0\.1:\d+/g)).toHaveLength(3);
});

describe.each([
  ['starting', 'is up', withoutRouter, { SIGINT: 130, SIGTERM: 143 }],
  ['running', 'Ctrl-C stops it', async () => 'embedded', { SIGINT: 0, SIGTERM: 0 }],
] as const)('a signal while %s', (_, moment, servers, exitCodes) => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('%s: nothing is left', async (signal) => {
    await using programs = await testFolder();
    const { subprocess, says } = run('--mongodb', await servers(programs.path), '--shards', '1');
    await says(moment);
    subprocess.kill(signal);
    const { exitCode, signal: died, stderr } = await subprocess;
    const ending = signal === 'SIGKILL' ? { died: signal } : { exitCode: exitCodes[signal], died: undefined };
    expect({ exitCode, died, stderr }).toMatchObject(ending);
  });
});

/** Servers that do not come to be a cluster, whenever the signal arrives. */
async function withoutRouter(folder: string): Promise<string> {
  const { mongod, version } = await resolveEmbedded();
  return fakeServers(folder, { version, mongod: `exec "${mongod}" "$@"` });
}

describe('a second signal while stopping', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('%s: nothing is left', async (signal) => {
    const { subprocess, says } = run('--mongodb', 'embedded', '--shards', '1');
    await says('Ctrl-C stops it');
    subprocess.kill('SIGTERM');
    await says('Stopping');
    subprocess.kill(signal);
    await subprocess;
  });
});

it('a closed stdout stops it', async () => {
  const { subprocess } = run('--mongodb', 'embedded', '--shards', '1');
  subprocess.stdout.destroy();
  expect((await subprocess).exitCode).toBe(0);
});

describe('what cannot be meant ends with 2 and one line', () => {
  it.each([
    [['--mongodb', './no such folder'], `there is no folder ${process.cwd()}/no such folder`],
    [['--shard', '3'], "unknown option '--shard' (Did you mean --shards?)"],
  ])('%s', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args).subprocess;
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });
});

it('a cluster that cannot be started ends with 3 and the server’s own words', async () => {
  await using programs = await testFolder();
  const bin = await fakeServers(programs.path, { mongod: 'echo "out of luck" >&2; exit 14' });
  const { exitCode, stderr } = await run('--mongodb', bin).subprocess;
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(
    /^The cluster did not start: \w+ exited with code 14 after .* s, while .* was awaited\n {2}\| out of luck$/m,
  );
});
