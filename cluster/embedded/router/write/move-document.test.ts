import { beforeEach, expect, test } from 'vitest';
import { encode, firstName } from '../../wire/bson.ts';
import { type Peer, PeerError } from '../../wire/client.ts';
import type { Metadata } from '../catalog.ts';
import type { Change } from '../metadata/commit.ts';
import { moveDocument } from './move-document.ts';
import type { Write } from './shards.ts';

const DONE = encode({ n: 1, ok: 1 });
const FAILED = encode({ n: 0, ok: 1, writeErrors: [{ index: 0, code: 1, errmsg: 'no' }] });
const REFUSED = encode({ ok: 0, code: 14031, errmsg: 'disk full' });
const gone = () => new PeerError('sh:1', new Error('connection closed'));

/** What the shards answer in turn, and what has been asked of them. */
let answers: (Buffer | Error)[];
let asked: string[];
/** The kinds of changes to `config.*`, and on which namespaces work has been left. */
let committed: string[];
let left: { ns: string; work: () => Promise<void> }[];
let isConfigGone: boolean;

beforeEach(() => {
  [answers, asked, committed, left, isConfigGone] = [[DONE, DONE], [], [], [], false];
});

function peer(shard: string): Peer {
  const send = async (body: Buffer): Promise<Buffer> => {
    asked.push(`${firstName(body)} on ${shard}`);
    const answer = answers.shift() ?? gone();
    if (Buffer.isBuffer(answer)) return answer;
    throw answer;
  };
  return { send } as unknown as Peer;
}

const catalog = {
  peer,
  commit: async (changes: readonly Change[]) => {
    if (isConfigGone) throw gone();
    committed.push(...changes.map((change) => firstName(encode(change))));
  },
  leave: (ns: string, work: () => Promise<void>) => void left.push({ ns, work }),
} as unknown as Metadata;

/** Of a document of sh0 that an update gives to sh1. */
function move() {
  const shared = [{ name: 'maxTimeMS', type: 16, bytes: Buffer.from([1, 0, 0, 0]) }];
  const command = { kind: 'update', db: 'd', collection: 'c', ns: 'd.c', ordered: true, statements: [], shared };
  const moved = { index: 0, shard: 'sh0', document: encode({ _id: 1, k: 1 }), after: encode({ _id: 1, k: 9 }) };
  return moveDocument(moved, 'sh1', { command, catalog } as unknown as Write);
}

test('the document is inserted, then deleted, between an entry and its end', async () => {
  expect(await move()).toEqual({ done: { n: 1, nModified: 1, upserted: [] }, errors: [] });
  expect(asked).toEqual(['insert on sh1', 'delete on sh0']);
  expect([committed, left]).toEqual([['insert', 'delete'], []]);
});

test('a config server that dies meanwhile: the client is told what is so, the entry is crossed out before the next use', async () => {
  const moving = move();
  isConfigGone = true; // the entry has been sent by now
  expect((await moving).done.n).toBe(1);
  expect(left).toMatchObject([{ ns: 'd.c' }]);
  isConfigGone = false;
  await left[0]?.work();
  expect(committed).toEqual(['insert', 'delete']);
});

test('what cannot be deleted where it was is taken back', async () => {
  answers = [DONE, FAILED, DONE];
  expect((await move()).errors).toHaveLength(1);
  expect(asked).toEqual(['insert on sh1', 'delete on sh0', 'delete on sh1']);
  expect([committed, left]).toEqual([['insert', 'delete'], []]);
});

test.each<[string, (Buffer | Error)[]]>([
  ['the shard that has it is gone', [DONE, FAILED, gone()]],
  ['the shard that had it is gone', [DONE, gone()]],
])('what may be there twice is found out before the next use: %s', async (_, replies) => {
  answers = replies;
  expect((await move()).errors).toHaveLength(1);
  expect(committed).toEqual(['insert']);
  expect(left).toMatchObject([{ ns: 'd.c' }]);
});

test('and so it is where a shard refuses the deletion as a whole', async () => {
  answers = [DONE, REFUSED];
  await expect(move()).rejects.toMatchObject({ name: 'Refused' });
  expect(committed).toEqual(['insert']);
  expect(left).toMatchObject([{ ns: 'd.c' }]);
});
