import { expect, test } from 'vitest';
import type {
  Check,
  Exchange,
  JsonObject,
  ResultRecord,
  StepRecord,
  VerdictRecord,
} from '../experiments/harness/record.ts';
import { experimentFiles, type PageContext } from './markdown.ts';
import { modelledRecord, realRecord } from './record.fixture.ts';
import { stateRecord } from './state.fixture.ts';

function experimentPage(record: ResultRecord, context?: PageContext): string {
  return experimentFiles(record, context).page;
}

test('a page tells the whole record', () => {
  expect(experimentPage(modelledRecord, { root: '../../..', index: '../../README.md' })).toMatchInlineSnapshot(`
    "# 07 · An example

    Does it work?

    - G1 **modelled**: On a sharded collection a unique index on a field outside the shard key is refused with code 67.
    - U2 **holds**: Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000.
    - K10 **fails**: A hashed index cannot be unique.

    | MongoDB | 9.0.0-alpha0 (git \`f00d\`) |
    | - | - |
    | distribution | embedded |
    | shards | \`sh0\`, \`sh1\`; primary shard of the scratch database: \`sh0\` |
    | sharding layer | our model, written from the source of MongoDB 9.0. It chose the shards and put their replies together, also where a real engine answered the router. Steps that name a recording were checked against recordings of real clusters of MongoDB [4.2] and [4.4] |

    - [Verdicts](#verdicts)
    - [Steps](#steps)
      - [1. A unique index.](#1-a-unique-index)
      - [2. Ten at once.](#2-ten-at-once)
      - [3. A command that nobody answers.](#3-a-command-that-nobody-answers)
    - [What works instead](#what-works-instead)
      - [4. Counted.](#4-counted)
    - [Where the documents are](#where-the-documents-are)
      - [\`u\`, sharded by \`{ uid: 1 }\`](#u-sharded-by--uid-1-)

    ## Verdicts

    | claim | here | because | other experiments |
    | - | - | - | - |
    | [G1](../../README.md#claims) | **modelled** | our model of the sharding layer decides it here; recorded on real clusters: [\`unique-on-non-shard-key\`] step 3 (MongoDB [4.2], [4.4]) | – |
    | [U2](../../README.md#claims) | **holds** | step 2, answered by a real engine | – |
    | [K10](../../README.md#claims) | **fails** | step 3 shows something else | – |

    ## Steps

    The predictions come from <https://example.com/manual> and a file of the server.

    ### 1. A unique index.

    To the router:

    \`\`\`js
    db.runCommand({ createIndexes: "u" })
    \`\`\`

    Our model of the sharding layer answered:

    \`\`\`js
    { ok: 0, code: 67 }
    \`\`\`

    > Expected error 67: **ok** · evidence for G1 · recorded: [\`unique-on-non-shard-key\`] step 3 (MongoDB [4.2], [4.4])

    ### 2. Ten at once.

    Exactly one of 10 clients succeeded, the others got error 11000; answered by a real engine.

    > Expected exactly one of the clients to succeed, the others to get error 11000: **ok** · evidence for U2

    ### 3. A command that nobody answers.

    To shard \`sh1\`:

    \`\`\`js
    db.adminCommand({ ping: 1 })
    \`\`\`

    No reply came: \`connection closed\`

    > Expected success, seen \`MongoNetworkError: connection closed\`: **differs** · known from a guess · evidence against K10

    ## What works instead

    ### 4. Counted.

    To shard \`sh0\`:

    \`\`\`js
    db.runCommand({ count: "u" })
    \`\`\`

    A real engine answered:

    \`\`\`js
    { n: 2, ok: 1 }
    \`\`\`

    | \`sh0\` | \`sh1\` |
    | ----- | ----- |
    | 2     | 0     |

    > Nothing is predicted for this version; seen: 2, 0 documents per shard

    ## Where the documents are

    ### \`u\`, sharded by \`{ uid: 1 }\`

    | from                | to below            | shard |
    | ------------------- | ------------------- | ----- |
    | \`{ uid: MinKey() }\` | \`{ uid: MaxKey() }\` | \`sh0\` |

    | documents    | \`sh0\` | \`sh1\` |
    | ------------ | ----- | ----- |
    | at the start | 0     | 0     |
    | at the end   | 2     | 0     |

    ---

    Commands are written for mongosh, where \`db\` is the experiment’s own database, \`<database>\`. A helper stands only where it sends exactly the command that was sent; [the record](07-an-example.json) has each command as it went over the wire. Replies are shown as they came. Left out is what drivers and servers add for themselves (\`lsid\`, \`txnNumber\`, \`$clusterTime\`, \`operationTime\` and the like). Values that every run makes anew are shown as placeholders like \`<ObjectId 1>\` (beside a dot: \`#1\`), numbered by first appearance; to paste a command, leave such an \`_id\` out, and mongosh makes one. Steps of recordings count from 0.

    [\`unique-on-non-shard-key\`]: ../../../reports/conformance.md#unique-on-non-shard-key
    [4.2]: ../../../cluster/embedded/conformance/mongodb-4.2.json
    [4.4]: ../../../cluster/embedded/conformance/mongodb-4.4.json
    "
  `);
});

test('what a user told the servers is in the table', () => {
  const environment = { ...realRecord.environment, arguments: { mongod: ['--setParameter', 'a=1'] } };
  const page = experimentPage({ ...realRecord, environment });
  expect(page).toContain('| arguments of the user | `mongod --setParameter a=1` |');
});

test('a page outside of the repository links to nothing in it', () => {
  const page = experimentPage(modelledRecord);
  expect(page).not.toContain('cluster/embedded');
  expect(page).toContain('[`unique-on-non-shard-key`] step 3');
});

test('on real servers nothing is called modelled; an experiment that was broken off says so', () => {
  expect(experimentPage(realRecord)).toMatchInlineSnapshot(`
    "# 07 · An example

    Does it work?

    - G1 **holds**: On a sharded collection a unique index on a field outside the shard key is refused with code 67.
    - U2 **skipped**: Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000.
    - K10 **skipped**: A hashed index cannot be unique.

    | MongoDB | 8.0.4 (git \`beef\`) |
    | - | - |
    | distribution | real MongoDB |
    | shards | \`sh0\`, \`sh1\`; primary shard of the scratch database: \`sh0\` |
    | sharding layer | real servers |

    **The experiment had not ended after 60 s** and was given up. The report holds the steps until then.

    - [Verdicts](#verdicts)

    ## Verdicts

    | claim | here | because | other experiments |
    | - | - | - | - |
    | G1 | **holds** | step 1, answered by a server | – |
    | U2 | **skipped** | it needs MongoDB \\>=6 \\|\\| \\<5 | – |
    | K10 | **skipped** | no step tested it | – |
    "
  `);
});

test('a modelled claim that no recording shows says so', () => {
  const verdicts = modelledRecord.verdicts.map((verdict) => ({ ...verdict, recordings: [] }));
  const page = experimentPage({ ...modelledRecord, verdicts });
  expect(page).toContain('| **modelled** | our model of the sharding layer decides it here; never recorded here |');
});

test('recordings that show something else are named as such', () => {
  const recording = { scenario: 's', step: 3, versions: [], otherwise: ['4.4'] };
  const verdicts = modelledRecord.verdicts.map((verdict) => ({ ...verdict, recordings: [{ ...recording, of: 1 }] }));
  const steps = modelledRecord.steps.map((step) => ({
    ...step,
    ...(step.check && { check: { ...step.check, recording } }),
  }));
  const page = experimentPage({ ...modelledRecord, verdicts, steps });
  expect(page).toContain('here; never recorded here; recorded otherwise: [`s`] step 3 (MongoDB [4.4]) |');
  expect(page).toContain('evidence for G1 · recorded otherwise: [`s`] step 3 (MongoDB [4.4])\n');
});

test('a step that ended without an exchange shows what it ended with', () => {
  const [step] = modelledRecord.steps;
  const steps = [
    { ...step, exchanges: [], observed: { ok: false, error: 'TypeError: no' } },
  ] as typeof modelledRecord.steps;
  expect(experimentPage({ ...modelledRecord, steps })).toContain('It ended with `TypeError: no`');
});

test.each([
  [{ how: 'skipped', reason: 'it needs MongoDB >=9.1' }, '**Skipped**: `it needs MongoDB >=9.1`'],
  [
    { how: 'threw', error: 'TypeError: no' },
    '**The experiment threw** `TypeError: no`. The report holds the steps until then.',
  ],
  [
    { how: 'cluster failed', error: 'sh1 ended' },
    '**The cluster failed**: `sh1 ended`. The report holds the steps until then.',
  ],
] as const)('an ending of %j is said', (ended, words) => {
  expect(experimentPage({ ...realRecord, ended })).toContain(`\n\n${words}\n\n`);
});

test('a chunk that moved is shown where it was and where it is', () => {
  const [before] = modelledRecord.placement.before;
  const moved = { ...before, chunks: before?.chunks.map((chunk) => ({ ...chunk, shard: 'sh1' })) };
  const placement = { before: [before], after: [moved] } as typeof modelledRecord.placement;
  const page = experimentPage({ ...modelledRecord, placement });
  expect(page).toMatch(/At the start:\n\n.*\n.*\n.*`sh0`.*\n\nAt the end:\n\n.*\n.*\n.*`sh1`/);
});

test('a claim leads to the other experiments of the same server that test it', () => {
  const other = { ...modelledRecord, experiment: { ...modelledRecord.experiment, number: 8, name: 'another' } };
  const set = { name: '9.0.0-alpha0-embedded', records: [modelledRecord, other] };
  const page = experimentPage(modelledRecord, { set, index: '../../README.md' });
  expect(page).toMatch(
    /\| \[U2\]\(\.\.\/\.\.\/README\.md#claims\) \| \*\*holds\*\* \| .* \| \[08-another\]\(08-another\.md\) \|/,
  );
});

test('a long reply is folded, and the fold says what it comes to', () => {
  const errmsg = 'E11000 duplicate key error: <b>';
  const reply = {
    n: 0,
    writeErrors: Array.from({ length: 20 }, (_, index) => ({ index, code: 11000, errmsg })),
    ok: 1,
  };
  const page = experimentPage(withReply(reply));
  expect(page).toContain(
    '<details><summary>A real engine answered: 20 write errors: error 11000, E11000 duplicate key error: &lt;b&gt; (26 lines)</summary>\n\n```js\n{\n  n: 0,',
  );
  expect(page).toContain('\n}\n```\n\n</details>\n');
  expect(experimentPage(withReply({ n: 1, ok: 1 }))).not.toContain('<details>');
});

function withReply(reply: JsonObject): ResultRecord {
  const exchange = { to: 'router', database: '<database>', command: { ping: 1 }, reply, answeredBy: 'engine' } as const;
  return { ...modelledRecord, steps: [{ ...(modelledRecord.steps[0] as StepRecord), exchanges: [exchange] }] };
}

test('where steps are pictured, documents are not told again at the end', () => {
  expect(experimentPage(modelledRecord)).toContain('## Where the documents are');
  const page = experimentPage(stateRecord);
  expect(page).not.toContain('## Where the documents are');
  expect(page).toContain(
    '![users: 2 documents arrived on sh0 and one document arrived on sh1. Before: sh0 1 chunk; sh1 1 chunk. ' +
      'After: sh0 1 chunk, 2 documents; sh1 1 chunk, 1 document.](diagrams/07-an-example-step-2.svg)',
  );
});

/** Outside of code nothing that a server or an experiment said may mean anything. */
test('nothing in a record becomes HTML, a link or the end of its code', () => {
  const page = experimentPage(withText('</code></summary><script>`[a](javascript:b)`\n```\n\n# <img src=x> | _c_ `'));
  const prose = withoutCode(page);
  expect(page).toContain('<script>');
  expect(prose).not.toMatch(/(?<!\\)<(?!https:|\/?details>|\/?summary>)/);
  expect(prose).not.toMatch(/(?<![\\!])\[a/);
  expect(page).not.toMatch(/^# <img/m);
});

function withoutCode(page: string): string {
  return page.replaceAll(/^(`{3,})js\n[\s\S]*?\n\1$/gm, '').replaceAll(/(?<!`|\\)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
}

/** Every text of the record that is not this project's own. */
function withText(text: string): ResultRecord {
  const { environment, experiment, verdicts } = modelledRecord;
  const reply = {
    ok: 0,
    code: 1,
    codeName: text,
    errmsg: text,
    list: Array.from({ length: 20 }, () => `${text}${'x'.repeat(80)}`),
  };
  const [step] = withReply(reply).steps as [StepRecord];
  const [exchange] = step.exchanges as [Exchange];
  const [verdict] = verdicts as [VerdictRecord];
  const observed = { ok: false, code: 1, codeName: text };
  const steps = [
    {
      ...step,
      caption: text,
      exchanges: [{ ...exchange, to: text, database: text, command: { insert: text, [text]: text } }],
      observed,
    },
    {
      ...step,
      caption: text,
      exchanges: [{ ...exchange, reply: null, failure: text }],
      observed: { ok: false, error: text },
    },
    {
      ...step,
      exchanges: [],
      observed: { ok: false, error: text },
      check: { ...(step.check as Check), result: 'differs', source: text },
    },
    {
      ...step,
      observed: { ...observed, ok: true, counts: [1, 2] },
      check: { ...(step.check as Check), result: 'differs' },
    },
  ] as StepRecord[];
  return {
    ...modelledRecord,
    experiment: { ...experiment, title: text, question: text, sources: [text] },
    environment: {
      ...environment,
      version: text,
      gitVersion: text,
      featureCompatibilityVersion: text,
      shards: [text, text],
    },
    ended: { how: 'threw', error: text },
    verdicts: [{ ...verdict, reason: text }],
    steps,
  };
}

test('what a race leaves to chance is said, since no picture shows it', () => {
  const shards = [{ shard: 'sh0', indexes: [] }];
  const raced: StepRecord = {
    number: 1,
    section: 'story',
    caption: 'Ten at once.',
    exchanges: [],
    observed: { ok: true, race: { clients: 10, winners: 'more than one', codes: [], answeredBy: ['engine'] } },
    state: [{ collection: 'u', chunks: [], shards }],
  };
  const page = experimentPage({ ...modelledRecord, steps: [raced] });
  expect(page).toContain('Which documents there are in `u` is left to chance, and not recorded.');
});
