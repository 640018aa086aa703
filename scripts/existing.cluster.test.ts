import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newScratchName, scratchNames } from '../cluster/existing/scratch.ts';
import { type Cluster, startCluster } from '../cluster/index.ts';

const START = fileURLToPath(new URL('./start.cjs', import.meta.url));

let cluster: Cluster;
let folder: string;
beforeAll(async () => {
  cluster = await startCluster({ mongodb: 'embedded' });
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab user '));
});
afterEach(async () => {
  expect(await scratchNames(cluster.client)).toEqual([]);
  await rm(folder, { recursive: true });
});

function run(args: string[], more: Record<string, string> = {}) {
  const env = { INIT_CWD: folder, NO_COLOR: '1', ...more };
  return execa(process.execPath, [START, ...args], { env, reject: false, cleanup: true });
}

async function experiment(body: string): Promise<string> {
  const source = `export default { number: 101, name: 'mine', title: 'T', question: 'Q', async run(lab) { ${body} } };\n`;
  await writeFile(join(folder, 'mine.ts'), source);
  return './mine.ts';
}

test('experiments run there, have results of their own, and leave the cluster as it was', async () => {
  const config = () => cluster.client.db('config').collection('collections').find().toArray();
  const before = await config();
  const { exitCode, stdout, stderr } = await run(['experiment', '1', '--uri', cluster.uri]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(/^01-unique-non-prefix {2}13 predictions ok/m);
  expect(stderr).not.toContain('Starting a sharded cluster');
  const set = join(folder, 'shardlab-reports', '9.0.0-alpha0-embedded-existing');
  expect(await readdir(set)).toEqual(['01-unique-non-prefix.json', '01-unique-non-prefix.md', 'diagrams']);
  expect(await readFile(join(set, '01-unique-non-prefix.md'), 'utf8')).not.toContain(new URL(cluster.uri).host);
  expect(await config()).toEqual(before);
  expect(await cluster.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('after Ctrl-C nothing of the run is left', async () => {
  const waits = await experiment(
    "await lab.onTwoShards('a', { key: 'k', at: 0 }); console.error('waiting'); for (let k = 0; ; k += 1) await lab.step('One.', (db) => db.collection('a').insertOne({ k }));",
  );
  const subprocess = run(['experiment', waits, '--uri', cluster.uri]);
  subprocess.stderr.on('data', (chunk) => String(chunk).includes('waiting') && subprocess.kill('SIGINT'));
  const { exitCode, stderr } = await subprocess;
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: expect.stringContaining('Not completed: 101-mine.') });
});

test('what a killed run has left is dropped by clean, and nothing else', async () => {
  const waits = await experiment(
    "await lab.onTwoShards('a', { key: 'k', at: 0 }); console.error('waiting'); await new Promise(() => {});",
  );
  const subprocess = run(['experiment', waits, '--uri', cluster.uri]);
  subprocess.stderr.on('data', (chunk) => String(chunk).includes('waiting') && subprocess.kill('SIGKILL'));
  await subprocess;
  const left = await scratchNames(cluster.client);
  expect(left).toHaveLength(1);
  await cluster.client.db('shardlab_theirs').collection('a').insertOne({});
  const cleaned = await run(['clean', '--uri', cluster.uri]);
  expect(cleaned).toMatchObject({ exitCode: 0, stdout: `dropped ${left[0]}` });
  expect(await cluster.client.db('shardlab_theirs').collection('a').countDocuments()).toBe(1);
  const again = await run(['clean'], { SHARDLAB_URI: cluster.uri });
  expect(again).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Nothing is left of any run.' });
});

const PASSWORD = 'pa55phrase';
const AWAY = `mongodb://ann:${PASSWORD}@db.example.com`;

test.each([
  [2, /^db\.example\.com:27017 is not this machine: add --yes to write to it$/, ['experiment', '1', '--uri', AWAY]],
  [2, /^db\.example\.com:27017 is not this machine: add --yes to write to it$/, ['clean', '--uri', AWAY]],
  [2, /^--uri is not understood: /, ['experiment', '1', '--uri', `http://ann:${PASSWORD}@h`]],
  [2, /^--keep is only for clusters that are started here/, ['experiment', '1', '--keep', '--uri', AWAY]],
  [2, /^--mongodb is only for clusters/, ['experiment', '1', '--mongodb', '8.0', '--uri', AWAY]],
  [2, /^--yes is only for --uri$/, ['experiment', '1', '--yes']],
  [2, /^required option '--uri <uri>' not specified$/, ['clean']],
])('exit code %s, %s', async (exitCode, sentence, args) => {
  const ended = await run(args);
  expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(sentence) });
  expect(ended.stderr).not.toContain(PASSWORD);
});

test('a cluster that refuses the credentials: exit code 3, one sentence, nothing of the password', async () => {
  const uri = cluster.uri.replace('mongodb://', `mongodb://ann:${PASSWORD}@`);
  const { exitCode, stderr } = await run(['experiment', '1', '--uri', uri]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: expect.stringMatching(/^\S+ cannot be used: .*$/) });
  expect(stderr).not.toContain(PASSWORD);
});

test('a shard is no cluster: exit code 2', async () => {
  const [shard] = cluster.shards;
  const left = newScratchName();
  const { exitCode, stderr } = await run(['clean', '--uri', shard?.uri ?? left]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(/^--uri leads to a member/) });
});
