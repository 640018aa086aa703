/** What a user told the servers beside what shardlab tells them, in words. */
import type { Environment } from '../experiments/harness/record.ts';

/** `mongod --slowms 5, mongos -v`; undefined when nothing was said. */
export function argumentsText(told: Environment['arguments']): string | undefined {
  const parts = Object.entries(told ?? {}).map(([program, args]) => [program, ...args].join(' '));
  return parts.length > 0 ? parts.join(', ') : undefined;
}
