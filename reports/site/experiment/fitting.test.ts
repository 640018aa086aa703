import { describe, expect, it } from 'vitest';
import type { CollectionState, Exchange, ResultRecord, StepRecord } from '../../../experiments/harness/record.ts';
import { stateRecord } from '../../state.fixture.ts';
import { experimentDocument } from './experiment-page.tsx';

const LIMIT = 300_000;

/** An experiment of which each step leaves so many documents on each shard. */
function recordOf(steps: number, documents: number, exchanges: readonly Exchange[] = []): ResultRecord {
  const step = (i: number): StepRecord => ({
    number: i + 1,
    section: 'story',
    caption: `Step ${i + 1}.`,
    exchanges,
    observed: { ok: true },
    state: [stateOf(i, documents)],
  });
  return { ...stateRecord, steps: Array.from({ length: steps }, (_, i) => step(i)) };
}

function stateOf(step: number, documents: number): CollectionState {
  const shard = (name: string, count: number) => ({
    shard: name,
    count,
    indexes: [{ key: { _id: 1 }, name: '_id_' }],
    documents: Array.from({ length: count }, (_, i) => ({ document: { _id: i, step, text: 'x'.repeat(80) } })),
  });
  return { collection: 'users', chunks: [], shards: [shard('sh0', documents), shard('sh1', 1)] };
}

function answered(reply: Exchange['reply']): Exchange {
  return { to: 'router', database: '<database>', command: { ping: 1 }, reply, answeredBy: 'engine' };
}

function pageOf(record: ResultRecord) {
  const page = experimentDocument(record);
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(LIMIT);
  const [, omitted = ''] = /<p class="note omitted">(.*?)<\/p>/s.exec(page) ?? [];
  return {
    page,
    omitted: omitted.replaceAll(/<[^>]*>/g, ''),
    steps: page.match(/<section class="step"/g)?.length ?? 0,
    dots: page.match(/<span class="dot /g)?.length ?? 0,
  };
}

describe('a page that would be too large', () => {
  it('is whole as long as it is not', () => {
    expect(pageOf(recordOf(10, 5))).toMatchObject({ omitted: '', steps: 10 });
  });

  it('counts the documents of shards that have many, and says so', () => {
    const { omitted, steps, dots } = pageOf(recordOf(40, 40));
    expect(omitted).toBe(
      'This page would be larger than 300 kB: documents are only counted where a shard has more than 10. The whole is in 07-an-example.md and 07-an-example.json of the results.',
    );
    expect(steps).toBe(40);
    expect(dots).toBeGreaterThan(0);
  });

  it('counts all of them', () => {
    const { omitted, steps, dots } = pageOf(recordOf(120, 9));
    expect(omitted).toContain('larger than 300 kB: documents are only counted. The whole');
    expect({ steps, dots }).toEqual({ steps: 120, dots: 1 }); // that of the legend
  });

  it('has as many of the first steps as fit', () => {
    const long = recordOf(100, 0).steps.map((step) => ({ ...step, caption: 'x'.repeat(2_000) }));
    const { page, omitted, steps } = pageOf({ ...stateRecord, steps: long });
    expect(omitted).toContain(`of its 100 steps, only the first ${steps} are here`);
    expect(Buffer.byteLength(page)).toBeGreaterThan(LIMIT - 10_000);
    expect(page).toContain(`List of ${steps} steps`);
  });

  it('has none where not even the first does', () => {
    const caption = 'x'.repeat(LIMIT);
    const { steps } = recordOf(1, 0);
    const { page, omitted } = pageOf({ ...stateRecord, steps: steps.map((step) => ({ ...step, caption })) });
    expect(omitted).toContain('of its 1 steps, only the first 0 are here');
    expect(page).not.toContain('<script');
  });
});

describe('a step that would be too long', () => {
  it('has the beginning of a reply, and says how much is missing', () => {
    const { page } = pageOf(recordOf(1, 0, [answered({ text: 'y'.repeat(500_000) })]));
    expect(page).toMatch(/… and 49\d{4} characters more, which the record has\./);
  });

  it('has the first of its commands, and says how many are missing', () => {
    const { page } = pageOf(
      recordOf(
        1,
        0,
        Array.from({ length: 5_000 }, () => answered({ ok: 1 })),
      ),
    );
    const shown = page.match(/<div class="exchange">/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(100);
    expect(page).toContain(`… and ${5_000 - shown} commands more, which the record has.`);
  });
});
