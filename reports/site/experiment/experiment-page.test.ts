import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ResultRecord } from '../../../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../../record.fixture.ts';
import { stateRecord } from '../../state.fixture.ts';
import { HOSTILE, hostileRecord } from '../hostile.fixture.ts';
import { experimentDocument } from './experiment-page.tsx';

/** What a reader sees of a page, roughly. */
function textOf(page: string): string {
  return page
    .replace(/^.*<body>/s, '')
    .replaceAll(/<script>.*?<\/script>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}

const stepIn = (page: string, number: number) =>
  new RegExp(`<section class="step" id="step-${number}".*?</section>`, 's').exec(page)?.[0] ?? '';

describe('the page of an experiment', () => {
  const page = experimentDocument(stateRecord);

  it('has every step whole, before any script runs', () => {
    for (const { number } of stateRecord.steps) expect(stepIn(page, number)).not.toBe('');
    expect(page).not.toMatch(/<section[^>]*hidden/);
    expect(textOf(stepIn(page, 4))).toContain(
      'db.users. insertOne ({ _id : <ObjectId 4> , uid : 3 , email : "ann@example.com" })',
    );
    expect(textOf(stepIn(page, 4))).toContain('A real engine answered');
  });

  it('begins with the verdicts, and says what was modelled', () => {
    const text = textOf(page);
    expect(text.indexOf('Verdicts')).toBeLessThan(text.indexOf('Who answered'));
    expect(text).toContain('modelled G1 On a sharded collection');
    expect(text).toContain('The sharding layer is our model , written from the source of MongoDB 9.0');
    expect(text).toContain('recorded on real clusters: unique-on-non-shard-key step 3 (MongoDB 4.2 and 4.4)');
    expect(text).toContain('4 from a real engine and 1 from our model of the sharding layer');
  });

  it('leads from a verdict to its steps and to the other experiments on its claim', () => {
    expect(page).toContain('<a href="../index.html#G1">');
    expect(page).toContain('<a href="#step-1" aria-label="step 1">1</a>');
  });

  it('leads to the experiments before and after it', () => {
    const linked = experimentDocument(stateRecord, { before: hostileRecord, after: modelledRecord });
    expect(linked).toMatch(/<a rel="prev" href="07-an-example%20[^"/]*\.html">/);
    expect(linked).toContain('<a rel="next" href="07-an-example.html">07 · An example<span');
    expect(page).not.toContain('class="neighbours"');
  });

  it('does not say that the step in which a run was broken off changed nothing', () => {
    const steps = stateRecord.steps.slice(0, 4).map((step) => ({ ...step, exchanges: [] }));
    const last = (ended: ResultRecord['ended'], at: number) =>
      textOf(stepIn(experimentDocument({ ...stateRecord, steps: steps.slice(0, at), ended }), at));
    const deadline = { how: 'deadline', seconds: 60 } as const;
    expect(last({ how: 'completed' }, 4)).toContain('The cluster after this step No chunk, index or document changed.');
    expect(last(deadline, 4)).toContain('The cluster as it was last seen The run was broken off here');
    expect(last(deadline, 3)).toContain('The cluster after this step'); // it has a state
  });

  it('marks what arrived, moved, was refused, changed, was counted, and what a shard does not own', () => {
    expect(stepIn(page, 2)).toMatch(/class="dot new" role="img" title="{ _id: .*?, arrived in this step"/);
    expect(stepIn(page, 4)).toMatch(/<li class="mark refused">× <code>.*?<\/code> refused: error 11000/);
    expect(stepIn(page, 5)).toMatch(/class="dot moved" role="img" title="{ _id: .*?, moved here from sh0"/);
    expect(stepIn(page, 5)).toContain('<span class="mark moved">→ from sh0</span>');
    expect(stepIn(page, 7)).toMatch(/class="dot new orphan" role="img" title="{ _id: .*?, an orphan"/);
    expect(stepIn(page, 9)).toMatch(
      /class="dot changed" role="img" title="{ _id: .*?deleted: true }, changed in this step"/,
    );
    expect(textOf(stepIn(page, 9))).toContain('750 documents ~ 500 before');
    expect(textOf(stepIn(page, 9))).toContain('log − gone');
  });

  it('marks indexes on each shard', () => {
    const chips = stepIn(page, 3).match(/<li class="chip new"[^>]*>.*?<\/li>/g) ?? [];
    expect(chips.map((chip) => chip.replaceAll(/<[^>]*>/g, ''))).toEqual([
      '+ new: email_1 unique',
      '+ new: email_1 unique',
    ]);
  });

  it('has documents and indexes in full for those who cannot point at them', () => {
    const text = textOf(stepIn(page, 3));
    expect(text).toContain('3 documents and indexes in full');
    expect(text).toContain('users on sh1 { _id: <ObjectId 3>, uid: 2000, email: "cleo@example.com" }');
    expect(text).toContain('indexes of users on sh0 and sh1 { v: 2, key: { _id: 1 }, name: "_id_" }');
  });

  it('has no tab stop for a dot', () => {
    expect(page).not.toContain('tabindex="0"');
  });
});

describe('the page of a record', () => {
  it('of many shards scrolls them by themselves, within reach of the keyboard', () => {
    const environment = { ...stateRecord.environment, shards: ['sh0', 'sh1', 'sh2'] };
    const step = stepIn(experimentDocument({ ...stateRecord, environment }), 5);
    expect(step).toMatch(/<div class="scrolls" role="group" aria-label="[^"]+" tabindex="0"><table/);
  });

  it('without states tells the placement instead', () => {
    const documents = [{ shard: 'sh0', count: 1 }, { shard: 'sh1' }];
    const after = modelledRecord.placement.after.map((placed) => ({ ...placed, documents }));
    const page = experimentDocument({ ...modelledRecord, placement: { before: [], after } });
    expect(textOf(page)).toMatch(
      /Where the documents are .* at the end 1 document MinKey\(\) .* an untold number of documents/,
    );
    expect(page).not.toContain('class="cluster"');
  });

  it('with a race says how it came out', () => {
    const text = textOf(stepIn(experimentDocument(modelledRecord), 2));
    expect(text).toContain(
      'Exactly one of 10 clients succeeded, the others got error 11000; answered by a real engine.',
    );
  });

  it('without a reply says so', () => {
    const text = textOf(stepIn(experimentDocument(modelledRecord), 3));
    expect(text).toContain('No reply came: connection closed');
    expect(text).toContain('differs');
  });

  it('that broke off says so, and has no player where there is no step', () => {
    const page = experimentDocument(realRecord);
    expect(textOf(page)).toContain('The experiment had not ended after 60 s');
    expect(textOf(page)).toContain('No step was run.');
    expect(page).not.toContain('<script');
  });

  it.each([
    [{ how: 'skipped', reason: 'it needs reshard' }, 'Skipped : it needs reshard'],
    [{ how: 'threw', error: 'TypeError: x' }, 'The experiment threw TypeError: x'],
    [{ how: 'cluster failed', error: 'sh0 died' }, 'The cluster failed : sh0 died'],
  ] as const)('that ended as %j says so', (ended, words) => {
    expect(textOf(experimentDocument({ ...stateRecord, ended }))).toContain(words);
  });

  it('after a race leaves the number of documents to chance', () => {
    const shards = [
      { shard: 'sh0', indexes: [{ key: { _id: 1 }, name: '_id_' }] },
      { shard: 'sh1', indexes: [] },
    ];
    const [first] = stateRecord.steps;
    const raced = first && { ...first, state: [{ collection: 'users', chunks: [], shards }] };
    const page = experimentDocument({ ...stateRecord, steps: raced ? [raced] : [] });
    expect(textOf(stepIn(page, 1))).toMatch(/sh0 primary sh1 .*How many documents is left to chance. not here/);
  });
});

describe('the documents of a shard', () => {
  it('that has none of a collection that is not sharded are said not to be', () => {
    const [first] = stateRecord.steps;
    const shards = [
      { shard: 'sh0', count: 0, indexes: [{ key: { _id: 1 }, name: '_id_' }], documents: [] },
      { shard: 'sh1', count: 0, indexes: [], documents: [] },
    ];
    const empty = first && { ...first, state: [{ collection: 'log', chunks: [], shards }] };
    const page = experimentDocument({ ...stateRecord, steps: empty ? [empty] : [] });
    expect(textOf(stepIn(page, 1))).toContain('no document not here');
  });

  it('that no chunk holds stand apart', () => {
    const [first] = stateRecord.steps;
    const state = first?.state?.map((one) => ({
      ...one,
      shards: one.shards.map((shard) => ({ ...shard, documents: [{ document: { _id: shard.shard, uid: [1, 2] } }] })),
    }));
    const page = experimentDocument({ ...stateRecord, steps: first && state ? [{ ...first, state }] : [] });
    expect(textOf(stepIn(page, 1)).match(/in no chunk: an array is no shard key \+ sh\d/g)).toHaveLength(2);
  });
});

describe('the page of a hostile record', () => {
  const page = experimentDocument(hostileRecord);
  const tags = (text: string) => text.match(/<(?:[a-z][a-z0-9]*|!--)/gi) ?? [];

  it('has the elements of any other page and no more', () => {
    expect([...new Set(tags(page))].sort()).toEqual([...new Set(tags(experimentDocument(stateRecord)))].sort());
    expect(tags(page).filter((tag) => /script|style/i.test(tag))).toEqual(['<style', '<script']);
  });

  it('lets nothing into its tags', () => {
    expect(page).not.toMatch(/<[^<>]*\son[a-z]+=/i);
    expect(page).not.toMatch(/(?:href|src)="(?!#|\.\.\/|https:)/);
  });

  it('shows names of fields as text, too', () => {
    const document = JSON.parse('{"_id":1,"</code><b>x":1,"__proto__":{"a":1},"":0,"a\\u0000b":1}');
    const exchange = {
      to: 'router',
      database: 'test',
      command: document,
      reply: document,
      answeredBy: 'server',
    } as const;
    const [step] = stateRecord.steps.map((one) => ({ ...one, exchanges: [exchange] }));
    const one = experimentDocument({ ...stateRecord, steps: step ? [step] : [] });
    const text = '_id: 1, "</code><b>x": 1, ["__proto__"]: { a: 1 }, "": 0, "a\\u0000b": 1';
    expect(textOf(stepIn(one, 1)).replaceAll(' ', '').split(text.replaceAll(' ', ''))).toHaveLength(3);
  });

  it('shows what it holds as text', () => {
    expect(textOf(page)).toContain(HOSTILE.split('\u2028')[0]?.split('"')[0]);
  });
});

describe('the records of this repository', () => {
  const LIMIT = 300_000;
  const results = fileURLToPath(new URL('../../results/', import.meta.url));
  const files = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

  it('make pages of at most 300 kB that leave nothing out', () => {
    const pages = files.map((file) => {
      const record: ResultRecord = JSON.parse(readFileSync(join(results, file), 'utf8'));
      return { file, page: experimentDocument(record) };
    });
    const isCut = ({ page }: { page: string }) => Buffer.byteLength(page) > LIMIT || /class="[^"]*omitted/.test(page);
    expect(pages.filter(isCut).map(({ file }) => file)).toEqual([]);
    expect(pages.length).toBeGreaterThan(0);
  });
});
