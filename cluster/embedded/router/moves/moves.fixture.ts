/** A collection whose documents are moved, for the tests of moves. */
import type { Collection, Document } from 'mongodb';
import { beforeEach } from 'vitest';
import { type TestDatabase, useDatabase } from '../cluster.fixture.ts';

export interface Row {
  _id: number;
  uid: number | null;
}

/** `conf.c`, sharded by `{uid: 1}` and empty before each test. */
export interface Movable extends TestDatabase {
  /** The collection through the router. */
  through(): Collection<Row>;
  /** The collection on one shard, asked of it directly. */
  held(shard: number): Collection<Row>;
  /** Inserts documents whose `_id` and `uid` count up from 0. */
  fill(documents?: number): Promise<void>;
  /** How many documents each shard holds. */
  counts(): Promise<number[]>;
  /** The `_id`s that a client reads, in order. */
  idsThrough(): Promise<number[]>;
  /** Moves a range to the second shard, unless `fields` say otherwise. */
  move(fields: object): Promise<Document>;
}

/** How many documents {@link Movable.fill} inserts when nobody says. */
export const DOCUMENTS = 3_000;
export const ALL = Array.from({ length: DOCUMENTS }, (_, i) => i);

/** Gives a test file a {@link Movable}. */
export function useMovable(): Movable {
  const database = useDatabase();
  const { admin, conf, on } = database;
  const through = () => conf().collection<Row>('c');
  const held = (shard: number) => on(shard).collection<Row>('c');
  beforeEach(async () => {
    await admin().command({ shardCollection: 'conf.c', key: { uid: 1 } });
  });
  return {
    ...database,
    through,
    held,
    fill: async (documents = DOCUMENTS) => {
      const text = 'x'.repeat(200);
      const rows = Array.from({ length: documents }, (_, i) => ({ _id: i, uid: i, text }));
      await through().insertMany(rows, { writeConcern: { w: 1, j: true } }); // a shard that is killed has them
    },
    counts: () => Promise.all([0, 1].map((shard) => held(shard).countDocuments())),
    idsThrough: async () => {
      const found = await through().find({}).toArray();
      return found.map(({ _id }) => _id).sort((a, b) => a - b);
    },
    move: (fields) => admin().command({ moveRange: 'conf.c', toShard: 'sh1', ...fields }),
  };
}
