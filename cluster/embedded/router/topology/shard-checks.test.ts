import { expect, test } from 'vitest';
import { checkHello } from './shard-checks.ts';

const SET = { setName: 'rs0', hosts: ['127.0.0.1:1'] };
const PRIMARY = { isWritablePrimary: true, setName: 'rs0', hosts: ['127.0.0.1:1'] };

function check(hello: Record<string, unknown>, target = SET): void {
  checkHello({ ...PRIMARY, ...hello }, '{ hello }', target);
}

test('the primary of the set named is accepted', () => {
  expect(() => check({})).not.toThrow();
});

test.each([
  [{ msg: 'isdbgrid' }, SET, 20, 'cannot add a mongos as a shard'],
  [
    { isWritablePrimary: false },
    SET,
    10107,
    'rs0/127.0.0.1:1 does not have a master. If this is a replica set, ensure that it has a healthy primary and that the set has been properly initiated.',
  ],
  [
    {},
    { setName: '', hosts: ['127.0.0.1:1'] },
    96,
    'host is part of set rs0; use replica set url format <setname>/<server1>,<server2>, ...',
  ],
  [{ setName: undefined }, SET, 96, 'host did not return a set name; is the replica set still initializing? { hello }'],
  [
    { setName: 'rs1' },
    SET,
    96,
    'the provided connection string (rs0/127.0.0.1:1) does not match the actual set name rs1',
  ],
  [{ configsvr: 2 }, SET, 96, 'Cannot add rs0/127.0.0.1:1 as a shard since it is a config server'],
  [
    {},
    { setName: 'rs0', hosts: ['127.0.0.1:1', '127.0.0.1:2'] },
    96,
    'in seed list rs0/127.0.0.1:1,127.0.0.1:2, host 127.0.0.1:2 does not belong to replica set rs0; found { hello }',
  ],
])('%j is refused', (hello, target, code, message) => {
  expect(() => check(hello, target)).toThrow(expect.objectContaining({ code, message }));
});
