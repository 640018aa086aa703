import { UUID } from 'bson';
import { expect, test } from 'vitest';
import { encode, field, number } from '../../wire/bson.ts';
import type { Call } from '../command.ts';
import { collectionNamespace, fullNamespace } from './namespace.ts';
import { fieldsOf, itemsIn, ownValue, requireField } from './request.ts';

function call(body: Record<string, unknown>, db = 'admin'): Call {
  const connection = { id: 1, remote: '', state: new Map() };
  return { name: Object.keys(body)[0] ?? '', db, body: encode(body), sequences: [], connection };
}

const refusal = (code: number, message: string): unknown => expect.objectContaining({ code, message });

test('fields that every command may carry are no unknown fields', () => {
  const fields = fieldsOf(call({ move: 'a.b', to: 'x', comment: 1, lsid: {}, $db: 'admin' }), { to: 'string' });
  expect([...fields.keys()]).toEqual(['to']);
});

test('what a field may not be is refused in the words of the IDL', () => {
  const wrong = (body: Record<string, unknown>) => () =>
    fieldsOf(call({ move: 'a.b', ...body }), { to: 'string', on: 'bool' });
  expect(wrong({ toes: 1 })).toThrow(refusal(40415, "BSON field 'move.toes' is an unknown field."));
  expect(wrong({ to: 1 })).toThrow(refusal(14, "BSON field 'move.to' is the wrong type 'int', expected type 'string'"));
  expect(wrong({ on: 'yes' })).toThrow(
    refusal(14, "BSON field 'move.on' is the wrong type 'string', expected types '[bool, long, int, decimal, double]'"),
  );
});

test('null counts as missing', () => {
  const command = call({ move: 'a.b', to: null });
  const fields = fieldsOf(command, { to: 'string' });
  expect(() => requireField(command, fields, 'to')).toThrow(
    refusal(40414, "BSON field 'move.to' is missing but a required field"),
  );
});

test("a command's own value is checked like its fields", () => {
  expect(ownValue(call({ explain: {} }), 'object').bytes).toHaveLength(5);
  expect(() => ownValue(call({ explain: 5 }), 'object')).toThrow(
    refusal(14, "BSON field 'explain.explain' is the wrong type 'int', expected type 'object'"),
  );
  expect(() => ownValue(call({ getMore: null }), 'long')).toThrow(
    refusal(40414, "BSON field 'getMore.getMore' is missing but a required field"),
  );
});

test('so are the items of a list, but for its nulls', () => {
  const command = call({ kill: 'c', cursors: [1n, null, 'x'] });
  const list = field(command.body, 'cursors');
  expect(() => itemsIn(command, 'cursors', list, 'long')).toThrow(
    refusal(14, "BSON field 'kill.cursors.2' is the wrong type 'string', expected type 'long'"),
  );
  const some = call({ kill: 'c', cursors: [1, null, 2] });
  expect(itemsIn(some, 'cursors', field(some.body, 'cursors'), 'number').map(number)).toEqual([1, 2]);
  expect(itemsIn(some, 'cursors', undefined, 'long')).toEqual([]);
});

test.each<[unknown, string]>([
  [5, 'Collection name has invalid type int'],
  [null, 'Collection name has invalid type null'],
  [new UUID(), 'Collection name must be provided. UUID is not valid in this context'],
  ['', 'Invalid namespace specified: d'],
  ['.c', "Collection names cannot start with '.': .c"],
  ['c\0d', 'namespaces cannot have embedded null characters'],
])('%j is the name of no collection', (name, message) => {
  expect(() => collectionNamespace(call({ drop: name }, 'd'))).toThrow(refusal(73, message));
});

test('a namespace is a database, a dot and a collection', () => {
  expect(fullNamespace(call({ split: 'a.b.c' }))).toEqual({ ns: 'a.b.c', db: 'a', collection: 'b.c' });
  for (const ns of ['conf', 'conf.', '.x', 'a b.c']) {
    expect(() => fullNamespace(call({ split: ns }))).toThrow(refusal(73, `Invalid namespace specified '${ns}'`));
  }
  expect(() => fullNamespace(call({ split: 1 }))).toThrow(refusal(2, 'collection name has invalid type int'));
  expect(collectionNamespace(call({ drop: 'c' }, 'd')).ns).toBe('d.c');
});
