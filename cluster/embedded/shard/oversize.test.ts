import { type Document, Long } from 'bson';
import { describe, expect, test } from 'vitest';
import { decodePlain, encode, splitDocuments } from '../wire/bson.ts';
import type { DocumentSequence } from '../wire/message.ts';
import { runInParts } from './oversize.ts';

const MEGABYTE = 1_000_000;

/** Documents `{ _id: i }` of about ten megabytes each. */
function tenMegabytesEach(count: number): Buffer {
  const pad = 'x'.repeat(10 * MEGABYTE);
  return Buffer.concat(Array.from({ length: count }, (_, _id) => encode({ _id, pad })));
}

/** An engine that answers each part by what it held, and remembers the parts. */
function engine(answer: (ids: number[]) => Document) {
  const parts: number[][] = [];
  const run = async (_: Buffer, sequences: readonly DocumentSequence[]): Promise<Buffer> => {
    const repeated = sequences.find(({ name }) => name !== 'nsInfo');
    const ids = repeated ? splitDocuments(repeated.bytes).map((document) => decodePlain(document)._id as number) : [];
    parts.push(ids);
    return encode(answer(ids));
  };
  return { parts, run };
}

function failing(...bad: number[]) {
  return (ids: number[]): Document => {
    const errors = ids.flatMap((id, index) => (bad.includes(id) ? [{ index, code: 11000, errmsg: `${id}` }] : []));
    return { n: ids.length - errors.length, ...(errors.length ? { writeErrors: errors } : {}), ok: 1 };
  };
}

const insert = (ordered: boolean): Buffer => encode({ insert: 'c', ordered, $db: 't' });

test('what fits goes to the engine as it came', async () => {
  const bytes = tenMegabytesEach(3);
  const sequences = [{ name: 'documents', bytes }];
  const seen: unknown[] = [];
  const reply = encode({ n: 3, ok: 1 });
  const given = await runInParts(insert(true), sequences, async (...sent) => {
    seen.push(...sent);
    return reply;
  });
  expect(given).toBe(reply);
  expect(seen[1]).toBe(sequences);
});

describe('a larger write is cut', () => {
  test('and its counts are added', async () => {
    const { parts, run } = engine(failing());
    const reply = await runInParts(insert(true), [{ name: 'documents', bytes: tenMegabytesEach(7) }], run);
    expect(parts).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect(decodePlain(reply)).toEqual({ n: 7, ok: 1 });
  });

  test('many small documents count with what the engine adds to each', async () => {
    const { parts, run } = engine(failing());
    const bytes = Buffer.concat(Array.from({ length: 100_000 }, (_, _id) => encode({ _id, pad: 'x'.repeat(310) })));
    expect(bytes.length).toBeLessThan(33_600_000);
    await runInParts(insert(true), [{ name: 'documents', bytes }], run);
    expect(parts.map(({ length }) => length)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(parts.flat()).toHaveLength(100_000);
  });

  test('an ordered one ends with the first error, whose index counts from the beginning', async () => {
    const { parts, run } = engine(failing(4));
    const reply = await runInParts(insert(true), [{ name: 'documents', bytes: tenMegabytesEach(7) }], run);
    expect(parts).toHaveLength(2);
    expect(decodePlain(reply)).toEqual({ n: 5, writeErrors: [{ index: 4, code: 11000, errmsg: '4' }], ok: 1 });
  });

  test('an unordered one goes on', async () => {
    const { run } = engine(failing(1, 6));
    const reply = decodePlain(
      await runInParts(insert(false), [{ name: 'documents', bytes: tenMegabytesEach(7) }], run),
    );
    expect(reply.n).toBe(5);
    expect(reply.writeErrors.map(({ index }: Document) => index)).toEqual([1, 6]);
  });

  test('upserts keep their index, modifications are added', async () => {
    const { run } = engine((ids) => ({ n: ids.length, nModified: 1, upserted: [{ index: 0, _id: ids[0] }], ok: 1 }));
    const update = encode({ update: 'c', ordered: true, $db: 't' });
    const reply = await runInParts(update, [{ name: 'updates', bytes: tenMegabytesEach(4) }], run);
    expect(decodePlain(reply)).toEqual({
      n: 4,
      nModified: 2,
      upserted: [
        { index: 0, _id: 0 },
        { index: 3, _id: 3 },
      ],
      ok: 1,
    });
  });

  test('a refusal of the whole command is the answer', async () => {
    const { parts, run } = engine(() => ({ ok: 0, code: 20, errmsg: 'no' }));
    const reply = await runInParts(insert(false), [{ name: 'documents', bytes: tenMegabytesEach(4) }], run);
    expect(parts).toHaveLength(1);
    expect(decodePlain(reply)).toEqual({ ok: 0, code: 20, errmsg: 'no' });
  });
});

test('a batch of more operations than servers take is refused, not cut', async () => {
  const { parts, run } = engine(failing());
  const bytes = Buffer.concat(Array.from({ length: 100_001 }, () => encode({ pad: 'x'.repeat(330) })));
  const sent = runInParts(insert(true), [{ name: 'documents', bytes }], run);
  await expect(sent).rejects.toMatchObject({ code: 16, message: expect.stringContaining('Got 100001 operations') });
  expect(parts).toEqual([]);
});

test('bulkWrite gives the results of all parts, read to their end, in one batch', async () => {
  const results = (ids: number[]): Document[] => ids.map((_, idx) => ({ ok: 1, idx, n: 1 }));
  const run = async (body: Buffer, sequences: readonly DocumentSequence[]): Promise<Buffer> => {
    const command = decodePlain(body);
    if (command.getMore) return encode({ cursor: { id: Long.ZERO, nextBatch: [{ ok: 1, idx: 2, n: 1 }] }, ok: 1 });
    expect(sequences.map(({ name }) => name).sort()).toEqual(['nsInfo', 'ops']);
    const ids = splitDocuments((sequences.find(({ name }) => name === 'ops') as DocumentSequence).bytes).map(
      (_, i) => i,
    );
    const whole = ids.length < 3;
    const cursor = {
      id: Long.fromNumber(whole ? 0 : 9),
      firstBatch: results(whole ? ids : ids.slice(0, 2)),
      ns: 'admin.$cmd.bulkWrite',
    };
    return encode({
      cursor,
      nErrors: 0,
      nInserted: ids.length,
      nMatched: 0,
      nModified: 0,
      nUpserted: 0,
      nDeleted: 0,
      ok: 1,
    });
  };
  const sequences = [
    { name: 'ops', bytes: tenMegabytesEach(4) },
    { name: 'nsInfo', bytes: encode({ ns: 't.c' }) },
  ];
  const reply = decodePlain(await runInParts(encode({ bulkWrite: 1, ordered: true, $db: 'admin' }), sequences, run));
  expect(reply).toMatchObject({ nInserted: 4, nErrors: 0, ok: 1 });
  expect(reply.cursor.firstBatch.map(({ idx }: Document) => idx)).toEqual([0, 1, 2, 3]);
  expect(Number(reply.cursor.id)).toBe(0);
});
