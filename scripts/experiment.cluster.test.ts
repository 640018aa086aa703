import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leftovers, pidOf } from '../cluster/world.fixture.ts';
import type { Experiment } from '../experiments/harness/define.ts';
import { builtInExperiments } from '../experiments/harness/load.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';

const START = fileURLToPath(new URL('./start.cjs', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** Where the user is: outside of the repository, spaces in the path. */
let folder: string;
/** The run's folder for temporary files. */
let temporary: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab user '));
  temporary = await mkdtemp(join(tmpdir(), 'shardlab tmp '));
});

/** Whatever happens to a run, nothing of it is left. */
afterEach(async () => {
  for (const subprocess of running.splice(0)) subprocess.kill('SIGKILL'); // of a test that failed
  expect(await leftovers(temporary)).toEqual({ processes: [], files: [] });
  await Promise.all([rm(folder, { recursive: true }), rm(temporary, { recursive: true })]);
});

const running: { kill(signal: 'SIGKILL'): boolean }[] = [];

function run(args: string[], from = folder) {
  const env = { INIT_CWD: from, TMPDIR: temporary, NO_COLOR: '1' };
  const all = ['experiment', ...args, '--mongodb', 'embedded'];
  const subprocess = execa(process.execPath, [START, ...all], { env, reject: false, cleanup: false });
  running.push(subprocess);
  return subprocess;
}

/** Resolves when the run has said something on stderr. */
function said(subprocess: ReturnType<typeof run>, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    subprocess.stderr.on('data', (chunk) => {
      text += chunk;
      if (text.includes(words)) resolve();
    });
    subprocess.stderr.once('end', () => reject(new Error(`it never said "${words}" but:\n${text}`)));
  });
}

/** A user's experiment in a file of its own. */
async function experiment(name: string, number: number, body: string, more = ''): Promise<string> {
  const head = `number: ${number}, name: '${name}', title: 'T', question: 'Q',${more}`;
  const source = `import type { Lab } from '${REPOSITORY}experiments/harness/lab.ts';
const insert = (_id: number) => (db: { collection(name: string): { insertOne(d: object): Promise<object> } }) =>
  db.collection('u').insertOne({ _id });
export default { ${head} async run(lab: Lab) { ${body} } };\n`;
  await writeFile(join(folder, `${name}.ts`), source);
  return `./${name}.ts`;
}

function numbersOf(experiments: readonly Experiment[]): number[] {
  return experiments.map(({ number }) => number);
}

async function recordOf(name: string): Promise<ResultRecord> {
  const path = join(folder, 'shardlab-reports', '9.0.0-alpha0-embedded', `${name}.json`);
  return JSON.parse(await readFile(path, 'utf8'));
}

const FOR_ALL_EXPERIMENTS_MS = 1_200_000;

test(
  'all experiments go as predicted, and their records are the committed ones',
  async () => {
    const { exitCode, stdout, stderr } = await run(['all', '--check', '--json'], REPOSITORY);
    expect({ exitCode, said: stderr.split('\n').at(-1) }).toEqual({
      exitCode: 0,
      said: 'Every record is as it was kept.',
    });
    const records: ResultRecord[] = JSON.parse(stdout);
    expect(records.map(({ experiment }) => experiment.number)).toEqual(numbersOf(await builtInExperiments()));
  },
  FOR_ALL_EXPERIMENTS_MS,
);

test('a user’s file runs from anywhere, twice with the same results, and a record that drifted is shown', async () => {
  const file = await experiment('mine', 101, "await lab.step('One.', insert(1), { ok: true });");
  const first = await run([file]);
  expect(first.stdout.split('\n')).toEqual([
    'experiment  outcome          claims  page',
    '101-mine    1 prediction ok          shardlab-reports/9.0.0-alpha0-embedded/101-mine.md',
    '',
    '1 experiment: 1 as predicted',
    '1 prediction: 1 ok',
    'no claims',
    'index: shardlab-reports/README.md',
  ]);
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/\n101-mine: 1 prediction ok \(\d+\.\d s\)$/),
  });
  expect((await readdir(join(folder, 'shardlab-reports'), { recursive: true })).sort()).toEqual([
    '9.0.0-alpha0-embedded',
    '9.0.0-alpha0-embedded/101-mine.json',
    '9.0.0-alpha0-embedded/101-mine.md',
    '9.0.0-alpha0-embedded/diagrams',
    '9.0.0-alpha0-embedded/diagrams/101-mine-step-1.svg',
    'README.md',
    'matrix.md',
  ]);
  const again = await run([file, '--check', '--fresh']);
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toMatch(/\nEvery record is as it was kept\.$/);

  await experiment('mine', 101, "await lab.step('One.', insert(2), { ok: true });");
  const drifted = await run([file, '--check']);
  expect(drifted.exitCode).toBe(1);
  expect(drifted.stdout).toMatch(/^\+ +"_id": 2$/m);
  expect((await recordOf('101-mine')).steps[0]?.exchanges[0]?.command).toMatchObject({ documents: [{ _id: 1 }] });
});

test('the experiment in the README works when it is pasted into a file', async () => {
  const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
  await writeFile(join(folder, 'my-experiment.ts'), /```ts\n([\s\S]+?)```/.exec(readme)?.[1] ?? '');
  const { exitCode, stdout } = await run(['./my-experiment.ts']);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^101-one-account-per-email {2}4 predictions ok/m),
  });
});

test('an experiment that throws, one that never ends, and one that differs: shown with the steps until then, exit code 1', async () => {
  const step = "await lab.step('One.', insert(1), { ok: true });";
  const files = [
    await experiment('throws', 101, `${step} undefined.x;`),
    await experiment(
      'endless',
      102,
      'await new Promise(() => setInterval(() => {}, 1000));', // a step might come too late for it
      ' deadlineSeconds: 0.5,',
    ),
    await experiment('forgets', 103, `${step} Promise.reject(new Error('nobody waits')); await new Promise(() => {});`),
    await experiment('differs', 104, `${step} await lab.step('Again.', insert(1), { code: 67 });`),
  ];
  const { exitCode, stdout, stderr } = await run(files);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^101-throws: threw \(.*\): TypeError: Cannot read properties of .* at .*throws\.ts:\d+:\d+/m);
  expect(stderr).toMatch(/^102-endless: did not end \(.*\): given up after 0\.5 s$/m);
  expect(stderr).toMatch(/^104-differs: 1 of 2 predictions differs \(.*\): step 2$/m);
  expect(stdout).toContain(
    [
      ...['104-differs', '  step 2: Again.', '    db.u.insertOne({ _id: 1 })', '    - error 67', '    + error 11000'],
      '    + E11000 duplicate key error collection: <database>.u index: _id_ dup key: { _id: 1 }',
    ].join('\n'),
  );
  const records = await Promise.all(['101-throws', '102-endless', '103-forgets', '104-differs'].map(recordOf));
  expect(records.map(({ ended }) => ended.how)).toEqual(['threw', 'deadline', 'threw', 'completed']);
  expect(records.map(({ steps }) => steps.map(({ caption }) => caption))).toEqual([
    ['One.'],
    [],
    ['One.'],
    ['One.', 'Again.'],
  ]);
});

test('a mongod killed in the middle: named, the steps until then kept, the rest not run, exit code 3', async () => {
  const step = "await lab.step('One.', insert(1), { ok: true });";
  const waits = await experiment('waits', 101, `${step} console.error('waiting'); await new Promise(() => {});`);
  const subprocess = run([waits, '4']);
  await said(subprocess, 'waiting');
  process.kill(pidOf(temporary, 'sh1'), 'SIGKILL');
  const { exitCode, stderr } = await subprocess;
  expect(exitCode).toBe(3);
  expect(stderr).toContain('Completed: nothing. Not completed: 101-waits and 04-soft-delete-restore.');
  const { ended, steps } = await recordOf('101-waits');
  expect(ended).toEqual({ how: 'cluster failed', error: expect.stringMatching(/^sh1 .*SIGKILL/) });
  expect(steps.map(({ observed }) => observed)).toEqual([{ ok: true }]);
});

test('Ctrl-C stops everything and says what was completed; results of that stay', async () => {
  // Its connections are cut, which it does not survive: that is no news.
  const body = "console.error('waiting'); for (;;) await lab.step('One.', insert(1));";
  const waits = await experiment('waits', 101, body);
  const subprocess = run(['4', waits]);
  await said(subprocess, 'waiting');
  subprocess.kill('SIGINT');
  const { exitCode, stdout, stderr } = await subprocess;
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  expect(stderr).toContain('Completed: 04-soft-delete-restore. Not completed: 101-waits.');
  expect(stderr).not.toMatch(/thrown at/i);
  expect((await recordOf('04-soft-delete-restore')).ended).toEqual({ how: 'completed' });
  const index = await readFile(join(folder, 'shardlab-reports', 'README.md'), 'utf8');
  expect(index).toContain('04-soft-delete-restore.md');
});

test('a stdout that is closed early is no fault', async () => {
  const subprocess = run(['4', '--json']);
  subprocess.stdout.destroy();
  const { exitCode, stderr } = await subprocess;
  expect(exitCode).toBe(0);
  expect(stderr).not.toMatch(/EPIPE|Error/);
});

test('--keep says how to connect and waits for Ctrl-C', async () => {
  const file = await experiment('mine', 101, "await lab.step('One.', insert(1), { ok: true });");
  const subprocess = run([file, '--keep']);
  await said(subprocess, 'stays up until Ctrl-C');
  subprocess.kill('SIGINT');
  const { exitCode, stderr } = await subprocess;
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/mongosh "mongodb:\/\/127\.0\.0\.1:\d+\//);
  expect(stderr).toMatch(/databases of the experiments: shardlab_[0-9a-f]{12}\n/);
});
