/** Waits until the config server's set has a primary, trying again for ever as a real mongos does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'bson';
import type { MongosOptions } from '../flags.ts';
import { log } from '../log.ts';
import { Peer } from '../wire/client.ts';
import { ask } from './ask.ts';

/** How long one host may take to say who it is, in milliseconds. */
const ATTEMPT_LIMIT_MS = 5_000;
const PAUSE_MS = 20;
/** One line of the log per this many milliseconds of waiting. */
const LOG_INTERVAL_MS = 1_000;

/** The config server's primary, and its `hello` reply. */
export async function waitForPrimary(configdb: MongosOptions['configdb']): Promise<{ peer: Peer; limits: Document }> {
  const began = Date.now();
  for (let logged = began; ; await sleep(PAUSE_MS)) {
    const problems: string[] = [];
    for (const host of configdb.hosts) {
      const peer = new Peer(withPort(host));
      const found = await greet(peer, configdb.replSet);
      if (typeof found !== 'string') return { peer, limits: found };
      peer.close();
      problems.push(`${host}: ${found}`);
    }
    if (Date.now() - logged < LOG_INTERVAL_MS) continue;
    logged = Date.now();
    logWaiting(configdb.replSet, logged - began, problems);
  }
}

/** The host's `hello` reply, or why it is not the primary looked for. */
async function greet(peer: Peer, setName: string): Promise<Document | string> {
  const limit = setTimeout(() => peer.close(), ATTEMPT_LIMIT_MS);
  try {
    const hello = await ask(peer, 'admin', { hello: 1 });
    if (!hello.isWritablePrimary) return hello.info ?? 'is not primary';
    return hello.setName === setName ? hello : `is a member of the set ${hello.setName}, not of ${setName}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(limit);
  }
}

function logWaiting(replSet: string, waitedMs: number, problems: readonly string[]): void {
  log({
    severity: 'W',
    component: 'SHARDING',
    id: 23834,
    context: 'mongosMain',
    message: 'Error initializing sharding state, retrying',
    attributes: { error: `no primary of config server set ${replSet} after ${waitedMs} ms: ${problems.join('; ')}` },
  });
}

function withPort(host: string): string {
  return host.includes(':') ? host : `${host}:27019`;
}
