import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveEmbedded } from './distributions/embedded.ts';
import { type Cluster, type ClusterOptions, ClusterStartError, InputError, startCluster } from './index.ts';
import { type FakeServers, FOR_EVER, fakeServers, type TestFolder, testFolder } from './servers.fixture.ts';
import { leftovers } from './world.fixture.ts';

let programs: TestFolder;
let temporary: TestFolder;
const outerTemporary = process.env.TMPDIR;

beforeEach(async () => {
  programs = await testFolder();
  temporary = await testFolder();
  process.env.TMPDIR = temporary.path;
});

/** Whatever a test does, nothing of its cluster is left. */
afterEach(async () => {
  if (outerTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outerTemporary;
  const left = await leftovers(temporary.path);
  await temporary[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
  expect(left).toEqual({ processes: [], files: [] });
});

async function start(servers: FakeServers, options: ClusterOptions = {}): Promise<Cluster> {
  return startCluster({ mongodb: await fakeServers(programs.path, servers), ...options });
}

async function failureOf(starting: Promise<unknown>): Promise<ClusterStartError> {
  const error = await starting.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ClusterStartError);
  return error as ClusterStartError;
}

const onlySh1 = (body: string) => `case "$*" in *"--replSet sh1"*) ${body};; esac; ${FOR_EVER}`;

describe('a member', () => {
  it('that exits at start is named, with its exit code and its last error lines', async () => {
    const line = '{"s":"E","c":"CONTROL","id":20557,"msg":"DBException in initAndListen, terminating"}';
    const failure = await failureOf(start({ mongod: onlySh1(`echo '{"s":"I","id":1}'; echo '${line}'; exit 100`) }));
    expect(failure).toMatchObject({
      member: 'sh1',
      awaited: 'readiness for connections',
      ending: 'exited with code 100',
      serverLines: [line],
    });
  });

  it('that prints an error on stderr is quoted', async () => {
    const failure = await failureOf(start({ mongod: onlySh1(`echo "Error parsing command line" >&2; exit 2`) }));
    expect(failure).toMatchObject({ ending: 'exited with code 2', serverLines: ['Error parsing command line'] });
  });

  it('that dies by a signal is named, with the signal', async () => {
    const failure = await failureOf(start({ mongod: onlySh1('kill -SEGV $$') }));
    expect(failure).toMatchObject({ member: 'sh1', ending: 'was killed by SIGSEGV' });
  });

  it('that never becomes ready is given up', async () => {
    const failure = await failureOf(start({ mongod: FOR_EVER }, { startTimeoutMs: 500 }));
    expect(failure.ending).toBeUndefined();
    expect(failure.message).toMatch(
      /^The cluster did not start: \w+: readiness for connections was awaited for \d+\.\d s, until the time to start was up/,
    );
  });

  it('that says it is ready and is no server is given up', async () => {
    const failure = await failureOf(
      start({ mongod: `echo 'waiting for connections'; ${FOR_EVER}` }, { startTimeoutMs: 4_000 }), // by then it has said it
    );
    expect(failure).toMatchObject({ awaited: 'its primary', ending: undefined });
  });

  it('that leaves a process behind takes it along', async () => {
    const failure = await failureOf(start({ mongod: onlySh1('sleep 60 & exit 3') }));
    expect(failure).toMatchObject({ ending: 'exited with code 3' });
  });

  it('that makes temporary files takes them along', async () => {
    const failure = await failureOf(start({ mongod: onlySh1('mktemp >/dev/null || exit 4; exit 3') }));
    expect(failure).toMatchObject({ ending: 'exited with code 3' });
  });

  it('whose port is always taken is retried a few times, then reported', async () => {
    const taken = 'echo \'{"s":"E","id":20568,"msg":"Error setting up listener: Address already in use"}\'';
    const failure = await failureOf(
      start({ mongod: onlySh1(`echo run >>"${programs.path}/runs"; ${taken}; exit 48`) }),
    );
    expect(failure).toMatchObject({ member: 'sh1', ending: 'exited with code 48' });
    expect(readFileSync(join(programs.path, 'runs'), 'utf8')).toBe('run\n'.repeat(5));
  });
});

/** Runs `program`, the first time while something else holds its port. */
const withPortTakenOnce = (program: string, runs: string) => `
  mkdir "${runs}" 2>/dev/null || exec "${program}" "$@"
  exec "${process.execPath}" -e '
    const [program, ...args] = process.argv.slice(1);
    const run = () => require("child_process").spawn(program, args, { stdio: "inherit" }).on("exit", process.exit);
    require("net").createServer().listen(Number(args[args.indexOf("--port") + 1]), "127.0.0.1", run);
  ' -- "${program}" "$@"`;

it('a port that is taken between choosing and binding is replaced', async () => {
  const { mongod, mongos, version } = await resolveEmbedded();
  await using cluster = await start(
    {
      version,
      mongod: withPortTakenOnce(mongod, join(programs.path, 'mongod ran')),
      mongos: withPortTakenOnce(mongos, join(programs.path, 'mongos ran')),
    },
    { shards: 1 },
  );
  expect(cluster.distribution).toMatchObject({ kind: 'system', version, modelled: true });
  expect(await cluster.stop()).toEqual({ endedBefore: [], problems: [] });
});

it('a temporary folder that cannot be written to is explained', async () => {
  process.env.TMPDIR = join(temporary.path, 'missing');
  const failure = await failureOf(start({}));
  expect(failure.message).toMatch(
    /^The cluster did not start: the cluster could not make its private folder \(ENOENT: .*\)/,
  );
});

it('servers that are not what --version said are refused', async () => {
  const { mongod, mongos } = await resolveEmbedded();
  const failure = await failureOf(
    start({ mongod: `exec "${mongod}" "$@"`, mongos: `exec "${mongos}" "$@"` }, { shards: 1 }),
  );
  expect(failure).toMatchObject({
    awaited: 'MongoDB 8.0.0 (system)',
    ending: 'was refused (it is MongoDB 9.0.0-alpha0)',
  });
});

it.each<[string, ClusterOptions, string]>([
  ['mongod', { mongodArgs: ['--noSuchFlag'] }, "unrecognised option '--noSuchFlag'"],
  ['mongos', { mongosArgs: ['--noSuchFlag', '1'] }, "unrecognised option '--noSuchFlag'"],
])('an argument that %s does not take is named by it', async (_, options, words) => {
  const failure = await failureOf(startCluster({ mongodb: 'embedded', shards: 1, ...options }));
  expect(failure.serverLines.join('\n')).toContain(words);
});

it('an argument that shardlab sets itself starts nothing', async () => {
  await expect(start({}, { mongodArgs: ['--port', '27017'] })).rejects.toThrow(InputError);
});

it('an executable that disappears is explained', async () => {
  const onProgress = (): void => rmSync(join(programs.path, 'bin dir', 'mongod'), { force: true });
  const failure = await failureOf(start({}, { onProgress }));
  expect(failure).toMatchObject({ awaited: 'its start', serverLines: [] });
  expect(failure.ending).toMatch(/^could not be run \(spawn .*mongod ENOENT\)$/);
});

it('a signal that aborts while starting stops everything and is the reason', async () => {
  const controller = new AbortController();
  const onProgress = (): void => void setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(start({}, { signal: controller.signal, onProgress })).rejects.toThrow('enough');
});

it('an option that there is not is refused', async () => {
  await expect(startCluster({ shard: 3 } as ClusterOptions)).rejects.toThrow(
    new InputError('startCluster has no option shard'),
  );
});

it.each([0, Number.NaN, Number.POSITIVE_INFINITY])('a time limit of %s ms is refused', async (startTimeoutMs) => {
  await expect(startCluster({ startTimeoutMs })).rejects.toThrow(InputError);
});

it('a signal that was aborted before starts nothing', async () => {
  await expect(startCluster({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});
