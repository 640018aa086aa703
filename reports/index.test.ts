import { expect, test } from 'vitest';
import { indexPage } from './index.ts';
import { modelledRecord, realRecord } from './record.fixture.ts';

test('the index counts what was modelled neither as passed nor as failed', () => {
  const sets = [
    { name: '8.0.4', records: [realRecord] },
    { name: '9.0.0-alpha0-embedded', records: [modelledRecord] },
  ];
  expect(indexPage(sets, 'results')).toMatchInlineSnapshot(`
    "# Results

    Generated from the result records by \`npm run report\`; each cell links to the page behind it.

    - [Experiments](#experiments)
    - [Claims](#claims)

    ## Experiments

    | experiment | | 8.0.4 | 9.0.0-alpha0-embedded |
    | - | - | - | - |
    | 07-an-example | An example | [did not end](results/8.0.4/07-an-example.md) | [1 of 3 predictions differs](results/9.0.0-alpha0-embedded/07-an-example.md) |

    ## Claims

    | claim | | 8.0.4 | 9.0.0-alpha0-embedded |
    | - | - | - | - |
    | U2 | Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000. | [skipped](results/8.0.4/07-an-example.md) | [holds](results/9.0.0-alpha0-embedded/07-an-example.md) |
    | K10 | A hashed index cannot be unique. | [skipped](results/8.0.4/07-an-example.md) | [fails](results/9.0.0-alpha0-embedded/07-an-example.md) |
    | G1 | On a sharded collection a unique index on a field outside the shard key is refused with code 67. | [holds](results/8.0.4/07-an-example.md) | [modelled](results/9.0.0-alpha0-embedded/07-an-example.md) |

    | verdict | 8.0.4 | 9.0.0-alpha0-embedded |
    | - | - | - |
    | fails | 0 | 1 |
    | holds | 1 | 1 |
    | modelled | 0 | 1 |
    | skipped | 2 | 0 |

    3 of the 55 claims in experiments/harness/claims.ts have an experiment. A claim \`holds\` where every step that bears on it was answered as it says by a server or a real engine, and \`fails\` where one shows something else. It is \`modelled\` where our model of the sharding layer decided it: that proves nothing about MongoDB and counts neither as passed nor as failed.
    "
  `);
});

test('of several experiments on one claim the strongest verdict counts: one that fails beats all', () => {
  const says = (verdict: 'fails' | 'holds' | 'modelled' | 'skipped', number: number) => ({
    ...modelledRecord,
    experiment: { ...modelledRecord.experiment, number, claims: ['G1'] },
    verdicts: [{ claim: 'G1', verdict, reason: '', steps: [], recordings: [] }],
  });
  const counted = (...verdicts: Parameters<typeof says>[0][]) => {
    const page = indexPage([{ name: 'x', records: verdicts.map(says) }], '');
    return /\| (\w+) \| 1 \|/.exec(page)?.[1];
  };
  expect(counted('holds', 'fails', 'modelled')).toBe('fails');
  expect(counted('holds', 'modelled', 'skipped')).toBe('modelled');
  expect(counted('skipped', 'holds')).toBe('holds');
  expect(counted('skipped')).toBe('skipped');
});

test('a link says which experiment it leads to where several test a claim', () => {
  const other = { ...modelledRecord, experiment: { ...modelledRecord.experiment, number: 8 } };
  expect(indexPage([{ name: 'x', records: [modelledRecord, other] }], 'r')).toContain(
    '| [modelled (7)](r/x/07-an-example.md) and [modelled (8)](r/x/08-an-example.md) |',
  );
});

test('a title and the name of a folder are text', () => {
  const record = { ...modelledRecord, experiment: { ...modelledRecord.experiment, title: '<b> | *c*' } };
  const page = indexPage([{ name: 'of <Ann> (new)', records: [record] }], 'r');
  expect(page).toContain('| experiment | | of \\<Ann\\> (new) |');
  expect(page).toContain(
    '| \\<b\\> \\| \\*c\\* | [1 of 3 predictions differs](r/of%20%3CAnn%3E%20%28new%29/07-an-example.md) |',
  );
});

test('nothing run yet', () => {
  expect(indexPage([], 'results')).toBe('# Results\n\nNo experiment has been run yet.\n');
});

test.each(['conformance', 'matrix'])('the index leads to the page %s where there is one', (page) => {
  const sets = [{ name: 'x', records: [] }];
  expect(indexPage(sets, '', { [page]: `${page}.md` })).toContain(`[${page}](${page}.md)`);
  expect(indexPage(sets, '')).not.toContain(page);
});
