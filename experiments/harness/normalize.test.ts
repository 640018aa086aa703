import { Binary, Decimal128, Double, Int32, Long, MaxKey, ObjectId, Timestamp, UUID } from 'bson';
import { expect, test } from 'vitest';
import { Normalizer } from './normalize.ts';

const since = new Date('2026-03-01T12:00:00Z');
const until = new Date('2026-03-01T12:00:05Z');
const hosts = new Map([['127.0.0.1:30001', '<host of sh0>']]);

function tidy(): Normalizer {
  return new Normalizer({ database: 'shardlab_0a1b2c', hosts, since, until });
}

test('what a run makes up is numbered by first appearance, the same in values and texts', () => {
  const [one, two] = [new ObjectId(), new ObjectId()];
  const uuid = new UUID();
  const { value, text } = { value: (v: unknown) => same.value(v), text: (t: string) => same.text(t) };
  const same = tidy();
  expect(value([two, one, two])).toEqual(['<ObjectId 1>', '<ObjectId 2>', '<ObjectId 1>']);
  expect(text(`of ObjectId('${one.toHexString()}')`)).toBe("of ObjectId('<ObjectId 2>')");
  expect(text(`UUID("${uuid}")`)).toBe('UUID("<UUID 1>")');
  expect(value(new Binary(uuid.buffer, Binary.SUBTYPE_UUID))).toBe('<UUID 1>');
  expect(text('127.0.0.1:45001 and localhost:45002 and 127.0.0.1:45001')).toBe('<host 1> and <host 2> and <host 1>');
  expect(text('sh0/127.0.0.1:30001')).toBe('sh0/<host of sh0>');
  expect(text('E11000 in shardlab_0a1b2c.u')).toBe('E11000 in <database>.u');
});

test('two runs that differ only in what they make up come out the same', () => {
  const run = () => {
    const id = new ObjectId();
    const at = new Date(since.getTime() + Math.floor(Math.random() * 5000));
    return tidy().reply({ insertedId: id, at, text: `${id}`, opTime: { ts: new Timestamp({ t: 7, i: 1 }), t: 1n } });
  };
  expect(run()).toEqual(run());
});

test('dates of the run and BSON timestamps lose their value, dates that an experiment wrote keep it', () => {
  const earlier = new Date('2024-05-01T00:00:00Z');
  expect(tidy().value([since, until, earlier])).toEqual(['<date>', '<date>', { $date: '2024-05-01T00:00:00Z' }]);
  expect(tidy().value(new Timestamp({ t: 1, i: 2 }))).toBe('<Timestamp>');
  expect(tidy().text('at Timestamp(1700000000, 4)')).toBe('at <Timestamp>');
});

test('versions of chunks and durations lose their value', () => {
  expect(tidy().text('got 3|1||65f0c0ffee65f0c0ffee65f0||Timestamp(1, 2), wanted 2|0||65f0c0ffee65f0c0ffee65f0')).toBe(
    'got <chunk version>, wanted <chunk version>',
  );
  expect(
    tidy().document({ executionTimeMillis: 3, millis: 4, durationMillis: 9, executionTimeMillisEstimate: 1 }),
  ).toEqual({
    executionTimeMillis: '<duration>',
    millis: '<duration>',
    durationMillis: '<duration>',
    executionTimeMillisEstimate: '<duration>',
  });
});

test('cursor ids are numbered wherever they appear, except for the one that says there is no more', () => {
  const same = tidy();
  const id = Long.fromString('3914789234780123');
  expect(same.reply({ cursor: { firstBatch: [], id, ns: 'a.u' }, ok: 1 })).toMatchObject({
    cursor: { id: '<cursor 1>' },
  });
  expect(same.command({ getMore: id, collection: 'u' })).toEqual({ getMore: '<cursor 1>', collection: 'u' });
  expect(same.command({ killCursors: 'u', cursors: [id] })).toEqual({ killCursors: 'u', cursors: ['<cursor 1>'] });
  expect(same.reply({ cursor: { firstBatch: [], id: 0, ns: 'a.u' }, ok: 1 })).toMatchObject({ cursor: { id: 0 } });
});

test('what driver and servers add for themselves is left out; what was asked for stays', () => {
  const command = {
    find: 'u',
    filter: { lsid: 1 },
    $readPreference: { mode: 'primary' },
    lsid: { id: new UUID() },
    txnNumber: Long.ONE,
    $clusterTime: {},
    $db: 'x',
    startTransaction: true,
  };
  expect(tidy().command(command)).toEqual({ find: 'u', filter: { lsid: 1 }, startTransaction: true });
  expect(tidy().command({ find: 'u', $readPreference: { mode: 'secondary' } })).toHaveProperty('$readPreference');
  expect(tidy().command({ find: 'u', $readPreference: { mode: 'primaryPreferred' } }, true)).toEqual({ find: 'u' });
  const gossip = {
    $clusterTime: {},
    operationTime: new Timestamp(1n),
    $configTime: 1,
    $topologyTime: 1,
    $shardlab: {},
  };
  expect(tidy().reply({ n: 1, raw: { sh0: { ok: 1, $clusterTime: {} } }, ok: 1, ...gossip })).toEqual({
    n: 1,
    raw: { sh0: { ok: 1 } },
    ok: 1,
  });
});

test('replies by host come in the order of the shards’ names', () => {
  const raw = { 'sh1/127.0.0.1:30002': { ok: 1 }, 'sh0/127.0.0.1:30001': { ok: 1 } };
  const keys = Object.keys(tidy().reply({ raw }).raw as object);
  expect(keys).toEqual(['sh0/<host of sh0>', 'sh1/<host 1>']);
});

test('values become relaxed Extended JSON without losing digits or the type of a number', () => {
  const long = Long.fromString('5902408780260971510');
  const values = [1, 1.5, true, null, undefined, long, Long.fromNumber(7), new MaxKey(), Decimal128.fromString('1.10')];
  expect(tidy().value(values)).toEqual([
    1,
    1.5,
    true,
    null,
    null,
    { $numberLong: '5902408780260971510' },
    { $numberLong: '7' },
    { $maxKey: 1 },
    { $numberDecimal: '1.10' },
  ]);
  expect(tidy().value([new Int32(7), new Double(7), new Double(1.5), -0])).toEqual([
    7,
    { $numberDouble: '7.0' },
    1.5,
    { $numberDouble: '-0.0' },
  ]);
  expect(tidy().value([new Double(Number.NaN), Number.POSITIVE_INFINITY, /a/i])).toEqual([
    { $numberDouble: 'NaN' },
    { $numberDouble: 'Infinity' },
    { $regularExpression: { pattern: 'a', options: 'i' } },
  ]);
});

test('documents of the experiment keep fields that servers would add to a reply', () => {
  const document = { operationTime: 5, raw: { b: 1, a: 2 }, cursor: { id: 9 }, latencyMillis: 7, getMore: 3 };
  const kept = JSON.stringify(document);
  expect(JSON.stringify(tidy().content(document))).toBe(kept);
  expect(JSON.stringify(tidy().command({ insert: 'u', documents: [document] }).documents)).toBe(`[${kept}]`);
  const { cursor } = tidy().reply({ cursor: { firstBatch: [document], id: 0n }, operationTime: 1, ok: 1 });
  expect(JSON.stringify(cursor)).toBe(`{"firstBatch":[${kept}],"id":0}`);
});
