import { expect, test } from 'vitest';
import type { Ending, ResultRecord, StepRecord, VerdictRecord } from '../experiments/harness/record.ts';
import { matrixPage } from './matrix.ts';
import { modelledRecord, realRecord } from './record.fixture.ts';
import type { ResultSet } from './sets.ts';

type Seen = [caption: string, claim: string, code?: number | undefined, errmsg?: string];

/** What a server was seen to do, by hand. */
interface Said {
  seen?: readonly Seen[];
  verdicts?: Record<string, VerdictRecord['verdict']>;
  ended?: Ending;
  experiment?: number;
}

function stepOf([caption, claim, code, errmsg]: Seen, index: number): StepRecord {
  const reply = code === undefined ? { ok: 1 } : { ok: 0, code, errmsg: errmsg ?? '' };
  return {
    number: index + 1,
    section: 'story',
    caption,
    exchanges: [{ to: 'router', database: '<database>', command: { ping: 1 }, reply, answeredBy: 'server' }],
    observed: code === undefined ? { ok: true } : { ok: false, code },
    check: { expected: null, result: 'no prediction', claims: [claim], shown: true },
  };
}

function recordOf(version: string, said: Said): ResultRecord {
  const { seen = [], verdicts = {}, ended = { how: 'completed' }, experiment = 7 } = said;
  return {
    ...realRecord,
    experiment: { ...realRecord.experiment, number: experiment, claims: Object.keys(verdicts) },
    environment: { ...realRecord.environment, version },
    ended,
    steps: seen.map(stepOf),
    verdicts: Object.entries(verdicts).map(([claim, verdict]) => {
      const reason = verdict === 'skipped' ? `it needs something, and this is ${version}` : '';
      return { claim, verdict, reason, steps: [], recordings: [] };
    }),
  };
}

const set = (version: string, ...said: Said[]): ResultSet => ({
  name: version,
  records: said.map((one) => recordOf(version, one)),
});
const embedded: ResultSet = { name: '9.0.0-alpha0-embedded', records: [modelledRecord] };

const REFUSED: Seen = ['Unique.', 'G1', 67, 'cannot create'];
const ALL_HOLD = { U2: 'holds', K10: 'holds', G1: 'holds' } as const;

test('two versions that differ, and the model apart from them', () => {
  const sevens: Said = {
    seen: [REFUSED, ['Hashed.', 'K10', 16764, 'no unique hashes'], ['Two.', 'U2']],
    verdicts: ALL_HOLD,
  };
  const eights: Said = {
    seen: [
      ['A step more.', 'U2'],
      REFUSED,
      ['Hashed.', 'K10', 16764, 'hashes\nare never unique'],
      ['Two.', 'U2', 11000, 'dup'],
    ],
    verdicts: { ...ALL_HOLD, U2: 'fails' },
  };
  expect(matrixPage([embedded, set('8.0.4', eights), set('7.0.14', sevens)], 'results')).toMatchInlineSnapshot(`
    "# Matrix

    What each version of MongoDB made of each claim. Generated from the result records by \`npm run matrix\` and \`npm run report\`; each cell links to the page behind it.

    Real servers: 7.0.14 and 8.0.4. Of 3 claims that more than one of them tested, 1 came out the same on all that did, 1 with another outcome, and 1 with other error messages alone. “Since” names the first of these versions, which need not be the first of all.

    The columns that end in \`-embedded\` stand apart: there our model of the sharding layer answers, or takes part in answering. That proves nothing about MongoDB, and counts neither as passed nor as the same on every version.

    | claim | | 7.0.14 | 8.0.4 | on every version | 9.0.0-alpha0-embedded |
    | - | - | - | - | - | - |
    | U2 | Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000. | [holds](results/7.0.14/07-an-example.md) | [fails](results/8.0.4/07-an-example.md) | [another outcome](#u2) | [holds](results/9.0.0-alpha0-embedded/07-an-example.md) |
    | K10 | A hashed index cannot be unique. | [holds](results/7.0.14/07-an-example.md) | [holds](results/8.0.4/07-an-example.md) | [other messages](#k10) | [fails](results/9.0.0-alpha0-embedded/07-an-example.md) |
    | G1 | On a sharded collection a unique index on a field outside the shard key is refused with code 67. | [holds](results/7.0.14/07-an-example.md) | [holds](results/8.0.4/07-an-example.md) | same | [modelled](results/9.0.0-alpha0-embedded/07-an-example.md) |

    ## What differs

    ### U2

    Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000.

    - 07-an-example, verdict:
      - 7.0.14: holds
      - since 8.0.4: fails
    - 07-an-example, step 1 (A step more.):
      - 7.0.14: no such step
      - since 8.0.4: success
    - 07-an-example, step 4 (Two.):
      - 7.0.14: success
      - since 8.0.4: error 11000 \`dup\`

    ### K10

    A hashed index cannot be unique.

    - 07-an-example, step 3 (Hashed.), error 16764 everywhere:
      - 7.0.14: \`no unique hashes\`
      - since 8.0.4: \`hashes are never unique\`
    "
  `);
});

/** The page's lines about differences of a claim. */
const told = (...sets: ResultSet[]) =>
  matrixPage(sets, '')
    .split('\n')
    .filter((line) => /^ *- /.test(line));

test('versions that answered alike are one stretch; a change that was taken back is told twice', () => {
  const answered = (version: string, code: number) =>
    set(version, { seen: [['Unique.', 'G1', code, 'no']], verdicts: { G1: 'holds' } });
  expect(told(answered('10.0.0', 67), answered('8.0.4', 72), answered('7.0.1', 67), answered('6.0.9', 67))).toEqual([
    '- 07-an-example, step 1 (Unique.):',
    '  - 6.0.9 to 7.0.1: error 67 `no`',
    '  - since 8.0.4: error 72 `no`',
    '  - since 10.0.0: error 67 `no`',
  ]);
});

test('a caption that occurs twice is compared in its order', () => {
  const twice = (second?: number): Said => ({
    seen: [
      ['Again.', 'G1'],
      ['Again.', 'G1', second, 'no'],
    ],
    verdicts: { G1: 'holds' },
  });
  expect(told(set('7.0.1', twice()), set('8.0.4', twice(11000)))).toEqual([
    '- 07-an-example, step 2 (Again.):',
    '  - 7.0.1: success',
    '  - since 8.0.4: error 11000 `no`',
  ]);
});

test('what one version skips is a difference with its reason, and its steps are none', () => {
  const skipped: Said = { verdicts: { G1: 'skipped' }, ended: { how: 'skipped', reason: '' } };
  const ran: Said = { seen: [REFUSED], verdicts: { G1: 'holds' } };
  expect(told(set('4.4.29', skipped), set('5.0.31', skipped), set('6.0.9', ran))).toEqual([
    '- 07-an-example, verdict:',
    '  - 4.4.29 to 5.0.31: skipped (it needs something, and this is 4.4.29)',
    '  - since 6.0.9: holds',
  ]);
});

test('an experiment that a version lacks, or broke off, is missing there and makes no difference', () => {
  const second: Said = { seen: [REFUSED], verdicts: { G1: 'holds' }, experiment: 8 };
  const first: Said = { verdicts: { K10: 'holds' } };
  const page = matrixPage(
    [
      set('7.0.14', first, second),
      set('8.0.4', second),
      set('9.0.0', {
        ...second,
        verdicts: { G1: 'skipped' },
        ended: { how: 'cluster failed', error: 'sh1 died' },
        seen: [],
      }),
    ],
    '',
  );
  expect(page.slice(page.indexOf('| claim'))).toMatchInlineSnapshot(`
    "| claim | | 7.0.14 | 8.0.4 | 9.0.0 | on every version |
    | - | - | - | - | - | - |
    | K10 | A hashed index cannot be unique. | [holds](7.0.14/07-an-example.md) | – | – | – |
    | G1 | On a sharded collection a unique index on a field outside the shard key is refused with code 67. | [holds](7.0.14/08-an-example.md) | [holds](8.0.4/08-an-example.md) | [skipped](9.0.0/08-an-example.md) | same on 2 |

    ## What is missing

    - 8.0.4 has no result of 07-an-example
    - 9.0.0 has no result of 07-an-example
    - 9.0.0, 08-an-example: **The cluster failed**: \`sh1 died\`. The report holds the steps until then.
    "
  `);
});

test('one server has nothing to be compared with; none at all is said', () => {
  const one = matrixPage([set('8.0.4', { seen: [REFUSED], verdicts: { G1: 'holds' } }), embedded], '');
  expect(one).toContain('Real servers: 8.0.4. A comparison takes two that tested the same claim.');
  expect(one).toMatch(/\| G1 \| [^|]+ \| \[holds\]\([^)]+\) \| – \| \[modelled\]/);
  expect(matrixPage([embedded], '')).toContain('No real server has run yet');
  expect(matrixPage([embedded], '')).not.toContain('| on every version');
  expect(matrixPage([], '')).toContain('No real server has run yet');
});

test('versions that were asked for and did not run are named, with their reasons as text', () => {
  const page = matrixPage([set('8.0.4', { verdicts: ALL_HOLD })], 'results', [
    { format: 1, asked: '8.1', reason: 'there is no <such> version' },
    { format: 1, asked: '9.0', reason: 'sh0 was killed by SIGILL', version: '9.0.1' },
  ]);
  expect(page).toContain(
    '## What is missing\n\n- `8.1` was asked for and gave no results: `there is no <such> version`\n' +
      '- `9.0` was asked for and ended early, as MongoDB `9.0.1`: `sh0 was killed by SIGILL`\n',
  );
});

test('a cluster of others and servers that were told more are columns of their own, and it says so', () => {
  const ours = set('8.0.4', { verdicts: ALL_HOLD });
  const like = (name: string, more: Partial<ResultRecord['environment']>): ResultSet => ({
    name,
    records: ours.records.map((one) => ({ ...one, environment: { ...one.environment, ...more } })),
  });
  const theirs = like('8.0.4-existing', { distribution: 'existing' });
  const told = like('8.0.4-args-1', { arguments: { mongod: ['--setParameter', 'a=1'], mongos: ['-v'] } });
  const page = matrixPage([theirs, told, ours], 'results');
  expect(page).toContain('| 8.0.4 | 8.0.4-args-1 | 8.0.4-existing | on every version |');
  expect(page).toContain('8.0.4-existing is a cluster that somebody else runs and may be set up otherwise.');
  expect(page).toContain(
    '8.0.4-args-1 were told more than shardlab tells them: `mongod --setParameter a=1, mongos -v`.',
  );
});
