import { type Document, Timestamp } from 'bson';
import { expect, test } from 'vitest';
import { clusterTime } from '../fake-cluster.fixture.ts';
import type { RawExchange } from '../transcript.ts';
import { momentOf } from './moment.ts';

const answered = (...replies: (Document | null)[]): RawExchange[] =>
  replies.map((reply) => ({ to: 'router', database: 'd', command: { ping: 1 }, reply, answeredBy: 'server' }));
const at = (t: number) => ({ ok: 1, operationTime: new Timestamp({ t, i: 1 }), $clusterTime: clusterTime(t) });

test('the latest answer counts, in whatever order they came', () => {
  expect(momentOf(answered(at(7), at(9), null, at(8), { ok: 1 }))).toEqual(at(9));
});

test('without an answer that says when it was, there is none', () => {
  expect(momentOf(answered(null, { ok: 1 }))).toBeUndefined();
});
