import type { Document } from 'bson';
import { describe, expect, test } from 'vitest';
import { decodePlain } from '../../wire/bson.ts';
import { type CursorReply, cursorIn } from './batch.ts';
import { FakeShard, open } from './fake-shard.fixture.ts';
import { Concatenation, SortedMerge } from './merge.ts';
import { type Bounds, MergedCursor, type Page } from './merged-cursor.ts';
import { ShardCursor } from './shard-cursor.ts';

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);
const byId = (ids: readonly number[]): Document[] => ids.map((_id) => ({ _id }));
const withKeys = (ids: readonly number[]): Document[] => ids.map((_id) => ({ _id, $sortKey: [_id] }));

async function cursorsOn(shards: readonly FakeShard[], batchSize?: number): Promise<ShardCursor[]> {
  return Promise.all(
    shards.map(async (shard) => new ShardCursor(shard.peer, cursorIn(await open(shard, batchSize)) as CursorReply)),
  );
}

function idsOf({ batch }: Page): number[] {
  return Object.values(decodePlain(batch)).map(({ _id }) => _id);
}

/** Lets everything that has been begun come to its end: the fake shards answer in the next turn of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function read(cursor: MergedCursor, batchSize?: number): Promise<number[][]> {
  let page = await cursor.first(batchSize);
  const pages = [idsOf(page)];
  while (!page.exhausted) {
    page = await cursor.next(batchSize);
    pages.push(idsOf(page));
  }
  return pages;
}

async function unsorted(shards: readonly FakeShard[], bounds?: Bounds, batchSize?: number): Promise<MergedCursor> {
  return new MergedCursor(new Concatenation(await cursorsOn(shards, batchSize)), bounds);
}

async function sorted(shards: readonly FakeShard[], directions: number[], bounds?: Bounds): Promise<MergedCursor> {
  return new MergedCursor(new SortedMerge(await cursorsOn(shards), directions), bounds);
}

describe('documents of several shards without a sort', () => {
  test('come once each, a first batch of 101 and then whatever is there', async () => {
    const shards = [new FakeShard(byId(range(0, 250))), new FakeShard(byId(range(1000, 1030)))];
    const pages = await read(await unsorted(shards));
    expect(pages[0]).toHaveLength(101);
    expect(pages.flat().sort((a, b) => a - b)).toEqual([...range(0, 250), ...range(1000, 1030)]);
  });

  test('come in the same order every time: shard by shard in turn', async () => {
    const make = async () =>
      read(await unsorted([new FakeShard(byId(range(0, 9))), new FakeShard(byId(range(100, 109)))], {}, 4), 4);
    const pages = await make();
    expect(pages).toEqual([range(0, 4), range(100, 104), range(4, 8), range(104, 108), [8, 108]]);
    expect(await make()).toEqual(pages);
  });

  test.each([1, 2, 7, 1000])('fill batches of %i, the last as far as it goes', async (size) => {
    const pages = await read(
      await unsorted([new FakeShard(byId(range(0, 20))), new FakeShard(byId(range(20, 33)))], {}, size),
      size,
    );
    expect(pages.slice(0, -2).every((page) => page.length === size)).toBe(true);
    expect(pages.flat().sort((a, b) => a - b)).toEqual(range(0, 33));
  });

  test('are passed over and cut off by the router', async () => {
    const shards = [new FakeShard(byId(range(0, 5))), new FakeShard(byId(range(5, 10)))];
    expect((await read(await unsorted(shards, { skip: 3, limit: 4 }))).flat()).toEqual([3, 4, 5, 6]);
  });

  test('a batch size of 0 opens the cursor and returns nothing yet', async () => {
    const cursor = await unsorted([new FakeShard(byId([1]))]);
    expect(await cursor.first(0)).toMatchObject({ exhausted: false });
    expect(idsOf(await cursor.next())).toEqual([1]);
  });

  test('no shard holds any', async () => {
    expect(await read(await unsorted([new FakeShard([]), new FakeShard([])]))).toEqual([[]]);
  });
});

describe('documents of several shards in a sort', () => {
  test('come in order, without the key they were merged by', async () => {
    const shards = [new FakeShard(withKeys(range(0, 400, 2))), new FakeShard(withKeys(range(1, 400, 2)))];
    const cursor = await sorted(shards, [1]);
    const page = await cursor.first(3);
    expect(Object.values(decodePlain(page.batch))).toEqual([{ _id: 0 }, { _id: 1 }, { _id: 2 }]);
    expect(idsOf(await cursor.next(397))).toEqual(range(3, 400));
  });

  test('descending, with a skip and a limit', async () => {
    const shards = [new FakeShard(withKeys([8, 6, 2])), new FakeShard(withKeys([9, 7, 1]))];
    expect((await read(await sorted(shards, [-1], { skip: 1, limit: 3 }))).flat()).toEqual([8, 7, 6]);
  });

  test('equal keys come in the order of the shards', async () => {
    const tied = (id: number): Document => ({ _id: id, $sortKey: [0] });
    const shards = [new FakeShard([tied(1), tied(2)]), new FakeShard([tied(3), tied(4)])];
    expect((await read(await sorted(shards, [1]))).flat()).toEqual([1, 2, 3, 4]);
  });

  test('metadata before the key goes with it', async () => {
    const shards = [
      new FakeShard([{ _id: 1, $randVal: 0.5, $sortKey: [0.5] }]),
      new FakeShard([{ _id: 2, $textScore: 0.75, $sortKey: [0.75] }]),
    ];
    const page = await (await sorted(shards, [-1])).first();
    expect(Object.values(decodePlain(page.batch))).toEqual([{ _id: 2 }, { _id: 1 }]);
  });
});

describe('what a router holds of an open cursor', () => {
  test('is one batch per shard: nothing more is fetched before it is needed', async () => {
    const shards = [new FakeShard(byId(range(0, 1000))), new FakeShard(byId(range(1000, 2000)))];
    const cursor = await unsorted(shards, {}, 10);
    await cursor.first(10);
    await settled();
    expect(shards.map((shard) => shard.all('getMore').length)).toEqual([0, 0]);
    await cursor.next(10);
    await settled();
    expect(shards.map((shard) => shard.all('getMore').length)).toEqual([1, 1]);
  });

  test('is asked of a shard in batches of about 2 MB when the client names no size', async () => {
    const shard = new FakeShard(Array.from({ length: 5000 }, (_, _id) => ({ _id, text: 'x'.repeat(1000) })));
    const pages = await read(await unsorted([shard]));
    expect(pages.flat()).toEqual(range(0, 5000));
    for (const { batchSize } of shard.all('getMore')) expect(batchSize).toBeGreaterThan(1900);
    for (const { batchSize } of shard.all('getMore')) expect(batchSize).toBeLessThan(2100);
  });

  test('goes to disk when documents are to move, and is then read without the shard', async () => {
    const shards = [new FakeShard(byId(range(0, 300))), new FakeShard(byId(range(300, 600)))];
    const cursor = await unsorted(shards);
    const read = idsOf(await cursor.first());
    await cursor.drain();
    for (const shard of shards) shard.failure = 'gone';
    let page: Page;
    do {
      page = await cursor.next();
      read.push(...idsOf(page));
    } while (!page.exhausted);
    expect(read.sort((a, b) => a - b)).toEqual(range(0, 600));
    await cursor.close();
  });

  test('is ended on the shards when the client ends it', async () => {
    const shard = new FakeShard(byId(range(0, 300)));
    let closed = 0;
    const cursor = await unsorted([shard], { onClose: async () => void closed++ });
    await cursor.first();
    await cursor.close();
    expect(shard.all('killCursors')).toMatchObject([{ killCursors: 'c', cursors: [7], $db: 'd' }]);
    expect(closed).toBe(1);
  });

  test('is ended only when nothing reads for it any more, and what was read is off the disk', async () => {
    const shard = new FakeShard(byId(range(0, 300)));
    const cursor = await unsorted([shard]);
    await cursor.first();
    let drained = false;
    const draining = cursor.drain().then(() => {
      drained = true;
    });
    await Promise.resolve(); // the file is being opened
    await cursor.close();
    expect(drained).toBe(true);
    await draining;
  });
});

describe('a shard that fails', () => {
  test.each(['refuse', 'gone'] as const)('while it is read (%s): the reader is told', async (failure) => {
    const shard = new FakeShard(byId(range(0, 300)));
    const cursor = await unsorted([shard]);
    await cursor.first();
    shard.failure = failure;
    await expect(cursor.next()).rejects.toMatchObject({ name: failure === 'refuse' ? 'Refused' : 'PeerError' });
  });

  test('while nobody waits for it: the next reader is told, with the first cause', async () => {
    const shard = new FakeShard(byId(range(0, 300)));
    const cursor = await unsorted([shard], {}, 10);
    await cursor.first(10);
    shard.failure = 'gone';
    await cursor.drain();
    shard.failure = undefined;
    await expect(cursor.next(10)).rejects.toMatchObject({ name: 'PeerError' });
  });
});
