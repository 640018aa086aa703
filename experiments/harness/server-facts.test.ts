import { expect, test } from 'vitest';
import type { Feature } from './define.ts';
import { reasonToLack } from './server-facts.ts';

test.each<[Feature, string, string | undefined, string | undefined]>([
  ['resharding', '8.0.4', '8.0', undefined],
  ['resharding', '8.0.4', undefined, undefined],
  ['resharding', '5.0.0-rc1', '5.0', undefined],
  ['resharding', '4.4.29', '4.4', 'it needs resharding, which MongoDB 4.4.29 does not have'],
  ['resharding', '5.0.1', '4.4', 'it needs resharding, and the feature compatibility version is 4.4'],
  ['transactions', '4.4.0', '4.4', undefined],
  ['collMod', '4.4.0', '4.4', undefined],
  ['balancer', '4.4.0', undefined, undefined],
])('%s on %s set to %s', (feature, version, fcv, reason) => {
  expect(reasonToLack(feature, version, fcv)).toBe(reason);
});
