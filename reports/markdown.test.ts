import { expect, test } from 'vitest';
import { experimentPage } from './markdown.ts';
import { modelledRecord, realRecord } from './record.fixture.ts';

test('a page tells the whole record', () => {
  expect(experimentPage(modelledRecord, '../../..')).toMatchInlineSnapshot(`
    "# 07 · An example

    Does it work?

    | MongoDB | 9.0.0-alpha0 (git \`f00d\`) |
    | - | - |
    | distribution | embedded |
    | shards | \`sh0\`, \`sh1\`; primary shard of the scratch database: \`sh0\` |
    | sharding layer | our model, written from the source of MongoDB 9.0. It chose the shards and put their replies together, also where a real engine answered the router. Steps that name a recording were checked against recordings of real clusters of MongoDB [4.2] and [4.4] |

    ## Verdicts

    | claim | says | here | because |
    | - | - | - | - |
    | G1 | On a sharded collection a unique index on a field outside the shard key is refused with code 67. | **modelled** | our model of the sharding layer decides it here; recorded on real clusters: [\`unique-on-non-shard-key\`] step 3 (MongoDB [4.2], [4.4]) |
    | U2 | Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000. | **holds** | step 2, answered by a real engine |
    | K10 | A hashed index cannot be unique. | **fails** | step 3 shows something else |

    ## Steps

    The predictions come from <https://example.com/manual> and a file of the server.

    ### 1. A unique index.

    To the router, database \`<database>\`:

    \`\`\`js
    { createIndexes: "u" }
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

    To shard \`sh1\`, database \`admin\`:

    \`\`\`js
    { ping: 1 }
    \`\`\`

    No reply came: \`connection closed\`

    > Expected success, seen MongoNetworkError: connection closed: **differs** · known from a guess · evidence against K10

    ## What works instead

    ### 4. Counted.

    To shard \`sh0\`, database \`<database>\`:

    \`\`\`js
    { count: "u" }
    \`\`\`

    A real engine answered:

    \`\`\`js
    { n: 2, ok: 1 }
    \`\`\`

    | sh0 | sh1 |
    | --- | --- |
    | 2   | 0   |

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

    Commands and replies are shown as they went over the wire, except for what drivers and servers add for themselves (\`lsid\`,
    \`txnNumber\`, \`$clusterTime\`, \`operationTime\` and the like). Values that every run makes anew are shown as placeholders
    like \`<ObjectId 1>\`, numbered by first appearance. Steps of recordings count from 0.

    [\`unique-on-non-shard-key\`]: ../../../reports/conformance.md#unique-on-non-shard-key
    [4.2]: ../../../cluster/embedded/conformance/mongodb-4.2.json
    [4.4]: ../../../cluster/embedded/conformance/mongodb-4.4.json
    "
  `);
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

    | MongoDB | 8.0.4 (git \`beef\`) |
    | - | - |
    | distribution | system |
    | shards | \`sh0\`, \`sh1\`; primary shard of the scratch database: \`sh0\` |
    | sharding layer | real servers |

    **The experiment had not ended after 60 s** and was given up. The report holds the steps until then.

    ## Verdicts

    | claim | says | here | because |
    | - | - | - | - |
    | G1 | On a sharded collection a unique index on a field outside the shard key is refused with code 67. | **holds** | step 1, answered by a server |
    | U2 | Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000. | **skipped** | it needs MongoDB >=6 \\|\\| <5 |
    | K10 | A hashed index cannot be unique. | **skipped** | no step tested it |

    ## Steps

    The predictions come from <https://example.com/manual> and a file of the server.

    ---

    Commands and replies are shown as they went over the wire, except for what drivers and servers add for themselves (\`lsid\`,
    \`txnNumber\`, \`$clusterTime\`, \`operationTime\` and the like). Values that every run makes anew are shown as placeholders
    like \`<ObjectId 1>\`, numbered by first appearance. Steps of recordings count from 0.
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
