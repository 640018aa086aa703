/** Makes what two clusters answered comparable: whatever a run makes anew becomes a placeholder, or is left out. */
import { EJSON } from 'bson';

/** Fields of replies that tell of time, place and identity only. */
const VOLATILE: ReadonlySet<string> = new Set([
  '$clusterTime',
  '$configTime',
  '$gleStats',
  '$topologyTime',
  'collectionUUID',
  'commitQuorum',
  'createdCollectionAutomatically',
  'debug',
  'durationMillis',
  'electionId',
  'history',
  'info',
  'lastCommittedOpTime',
  'lastmod',
  'lastmodEpoch',
  'millis',
  'onCurrentShardSince',
  'opTime',
  'operationTime',
  'raw',
  'serverInfo',
  'timestamp',
  'uuid',
]);

/** In this order: a version holds an ObjectId and a timestamp. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>'],
  [/ObjectId\('?[0-9a-f]{24}'?\)/g, 'ObjectId(<oid>)'],
  [/\b[0-9a-f]{24}\b/g, '<oid>'],
  [/(?:127\.0\.0\.1|localhost):\d+/g, '<host>'],
  [/Timestamp\([^)]*\)/g, 'Timestamp(<ts>)'],
  [/\d+\|\d+\|\|<oid>(?:\|\|Timestamp\(<ts>\))?/g, '<version>'],
];

/**
 * @param value a reply, or a part of an error; BSON values become Extended JSON
 * @param shards the names of the shards, which become `$A` and `$B`
 */
export function tidy(value: unknown, shards: readonly [string, string]): unknown {
  return tidied(EJSON.serialize(value, { relaxed: true }), (text) => scrubbed(text, shards));
}

function tidied(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((item) => tidied(item, scrub));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, tidied(item, scrub)]));
}

function scrubbed(text: string, [a, b]: readonly [string, string]): string {
  const named = text.replaceAll(a, '$A').replaceAll(b, '$B');
  return PLACEHOLDERS.reduce((scrubbed, [pattern, placeholder]) => scrubbed.replace(pattern, placeholder), named);
}
