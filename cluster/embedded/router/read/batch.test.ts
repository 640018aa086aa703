import { Double, Long } from 'bson';
import { expect, test } from 'vitest';
import { decode, decodePlain, encode, field, rawValue } from '../../wire/bson.ts';
import { Batch, BatchWriter, cursorIn, cursorReply, EXHAUSTED } from './batch.ts';

const documents = Array.from({ length: 1234 }, (_, i) => encode({ i, text: 'x'.repeat(i % 7) }));

function written(): Buffer {
  const writer = new BatchWriter();
  for (const document of documents) writer.add(document);
  expect(writer.count).toBe(documents.length);
  const array = writer.finish();
  expect(array.length).toBe(writer.bytes);
  return array;
}

test('a written batch is the array that the BSON library writes', () => {
  const wanted = field(encode({ a: documents.map(decodePlain) }), 'a');
  expect(written().equals(wanted?.bytes as Buffer)).toBe(true);
});

test('a batch gives its documents one by one, and its whole array only while untouched', () => {
  const batch = new Batch(written());
  expect(batch.count).toBe(documents.length);
  expect(batch.untouched).toBeDefined();
  for (const document of documents) {
    expect(batch.isEmpty).toBe(false);
    expect(batch.peek().equals(document)).toBe(true);
    expect(batch.take().equals(document)).toBe(true);
  }
  expect(batch.isEmpty).toBe(true);
  expect(batch.untouched).toBeUndefined();
});

test('an empty batch', () => {
  const batch = new Batch(new BatchWriter().finish());
  expect([batch.isEmpty, batch.count]).toEqual([true, 0]);
});

test('a cursor reply has the fields of the server in their order, and is read back', () => {
  const id = Buffer.alloc(8);
  id.writeBigInt64LE(77n);
  const reply = cursorReply('nextBatch', { id, ns: rawValue('d.c'), batch: written() });
  const { cursor, ok } = decode(reply);
  expect(Object.keys(cursor)).toEqual(['nextBatch', 'id', 'ns']);
  expect([cursor.id, cursor.ns, ok, cursor.nextBatch.length]).toEqual([
    Long.fromNumber(77),
    'd.c',
    new Double(1),
    documents.length,
  ]);
  expect(cursorIn(reply)?.id.equals(id)).toBe(true);
  expect(cursorIn(encode({ ok: 1 }))).toBeUndefined();
  expect(EXHAUSTED.readBigInt64LE(0)).toBe(0n);
});
