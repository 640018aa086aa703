import { expect, test } from 'vitest';
import type { Answer } from '../cluster/embedded/conformance/answer.ts';
import type { ComparedStep, Comparison } from '../cluster/embedded/conformance/compare.ts';
import type { Exception, RecordedVersion } from '../cluster/embedded/conformance/exceptions/entry.ts';
import { conformancePage } from './conformance.ts';

const inserted: Answer = { reply: { n: 1, ok: 1 } };
const taken: Answer = { error: { code: 85, codeName: 'IndexOptionsConflict', message: 'the name is taken' } };
const conflict: Answer = { error: { code: 86, codeName: 'IndexKeySpecsConflict', message: 'the name is\ntaken' } };
const refused: Answer = { error: { message: 'no `key`' } };

const changed: Exception = {
  steps: ['making-indexes#1'],
  versions: ['4.2', '4.4'],
  answer: inserted,
  because: 'it may be made',
  evidence: ['jstests/core/some.js (9.0)', 'SERVER-1'],
};

const insert = { cmd: { insert: 'c', documents: [{ _id: 1, text: 'x'.repeat(120) }] } };
const createIndexes = { cmd: { createIndexes: 'c' }, loose: true };
const steps: Pick<ComparedStep, 'scenario' | 'step' | 'sent' | 'answered'>[] = [
  { scenario: 'making-indexes', step: 0, sent: insert, answered: inserted },
  { scenario: 'making-indexes', step: 1, sent: createIndexes, answered: inserted },
  { scenario: 'counting', step: 0, sent: { counts: 'c' }, answered: { reply: [1, 0] } },
  { scenario: 'counting', step: 1, sent: { api: 'drop', coll: 'c', on: '$B' }, answered: refused },
];

function comparison(line: RecordedVersion, found: Pick<ComparedStep, 'verdict' | 'recorded'>[]): Comparison {
  const compared = found.map((one, i) => ({ ...(steps[i] as (typeof steps)[number]), ...one }));
  const excepted = compared.map((one) => (one.verdict === 'version' ? { ...one, exception: changed } : one));
  return {
    recording: { line, server: { version: `${line}.0`, note: `built from ${line}` }, scenarios: {} },
    steps: excepted,
    unneeded: [],
  };
}

test('a page says of every step what each recording has, and why it differs', () => {
  const agrees = { verdict: 'agrees', recorded: inserted } as const;
  const page = conformancePage(
    [
      comparison('4.2', [agrees, { verdict: 'version', recorded: taken }]),
      comparison('4.4', [
        agrees,
        { verdict: 'version', recorded: conflict },
        agrees,
        { verdict: 'differs', recorded: inserted },
      ]),
    ],
    '9.0.0',
  );
  expect(page.slice(page.indexOf('| MongoDB'))).toMatchInlineSnapshot(`
    "| MongoDB | steps | agree | in other words | changed since | not modelled | differ | recorded from |
    | - | - | - | - | - | - | - | - |
    | [4.2](../cluster/embedded/conformance/mongodb-4.2.json) | 2 | 1 | 0 | 1 | 0 | 0 | Built from 4.2 |
    | [4.4](../cluster/embedded/conformance/mongodb-4.4.json) | 4 | 2 | 0 | 1 | 0 | 1 | Built from 4.4 |

    A step **agrees** when it has the same outcome: success or failure, error code, indexes of failed writes, counts per shard, documents read. The texts of errors are compared too; where those of 9.0 are others, the step agrees *in other words*. It has **changed since** where the recorded version is older than a change of MongoDB, and it is **not modelled** where the embedded cluster refuses what servers do; either is listed with what is answered instead. A difference that is not listed fails \`npm test\`, as does an entry that no difference needs.

    ## Scenarios

    | scenario | 4.2 | 4.4 |
    | - | - | - |
    | [making-indexes](#making-indexes) | 1 agree, 1 changed since | 1 agree, 1 changed since |
    | [counting](#counting) | not recorded | 1 agree, 1 differs |

    ## making-indexes

    | step | sent | answered here | 4.2 | 4.4 |
    | - | - | - | - | - |
    | 0 | \`{ insert: "c", documents: [ { _id: 1, text: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\` | \`{ n: 1, ok: 1 }\` | agrees | agrees |
    | 1 | \`{ createIndexes: "c" }\` | \`success\` | **changed since** | **changed since** |

    - **Step 1**, MongoDB 4.2 and 4.4: it may be made. Known from \`jstests/core/some.js\` (9.0) and SERVER-1.
      - 4.2: \`error 85 IndexOptionsConflict: the name is taken\`
      - 4.4: \`error 86 IndexKeySpecsConflict: the name is taken\`
      - here: \`success\`

    ## counting

    | step | sent | answered here | 4.2 | 4.4 |
    | - | - | - | - | - |
    | 0 | \`each shard: c.countDocuments()\` | \`[ 1, 0 ]\` | – | agrees |
    | 1 | \`$B: c.drop()\` | \`error without a code\` | – | **differs** |

    - **Step 1**, MongoDB 4.4: **nobody has said why**.
      - 4.4: \`{ n: 1, ok: 1 }\`
      - here: \`\` error without a code: no \`key\` \`\`
    "
  `);
});
