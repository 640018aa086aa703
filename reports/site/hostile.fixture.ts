/** A record whose every text tries to get out of the page that shows it. */
import type { Json, ResultRecord } from '../../experiments/harness/record.ts';
import { stateRecord } from '../state.fixture.ts';

/** One of each: the end of a script, of an attribute and of code; an element; line separators; right to left; a word without an end. */
export const HOSTILE = [
  '</script><script>alert(1)</script>',
  '</style><img src=x onerror=alert(1)>',
  '"\'`**`` --> ]]>',
  '\u2028\u2029',
  '\u202eright to left\u202c שלום',
  'w'.repeat(300),
].join(' ');

/** Names and numbers that the record's reader relies on. */
const KEPT = ['section', 'answeredBy', 'result', 'how', 'verdict', 'winners', 'version', 'to', 'database'];

/** See the file's comment. */
export const hostileRecord = hostile(stateRecord as unknown as Json) as unknown as ResultRecord;

function hostile(value: Json, key = ''): Json {
  if (typeof value === 'string') return KEPT.includes(key) ? value : `${value} ${HOSTILE}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => hostile(item, key));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item, name)]));
}
