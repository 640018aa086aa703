/** One embedded mongod for a test that asks the engine itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { resolveEmbedded } from '../../distributions/embedded.ts';
import { Peer } from '../wire/client.ts';

const READY = 'Waiting for connections';
const START_DEADLINE_MS = 15_000;

/** A running mongod; disposing of it stops the process and removes its data. */
export interface OneEngine extends AsyncDisposable {
  peer: Peer;
}

/** @throws Error when it does not listen in time, with what it printed */
export async function startEngine(): Promise<OneEngine> {
  const { mongod } = await resolveEmbedded();
  const dbpath = await mkdtemp(join(tmpdir(), 'shardlab-engine-'));
  const port = await freePort();
  const child = execa(mongod, ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dbpath], {
    forceKillAfterDelay: 5_000,
    reject: false,
  });
  const peer = new Peer(`127.0.0.1:${port}`);
  const stop = async (): Promise<void> => {
    peer.close();
    child.kill();
    await child;
    await rm(dbpath, { recursive: true });
  };
  try {
    await ready(child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { peer, [Symbol.asyncDispose]: stop };
}

async function ready(child: AsyncIterable<string>): Promise<void> {
  const printed: string[] = [];
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, START_DEADLINE_MS, 'late').unref());
  const lines = child[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([lines.next(), late]);
    if (next === 'late' || next.done) break;
    if (next.value.includes(READY)) return;
    printed.push(next.value);
  }
  throw new Error(`mongod did not print "${READY}" within ${START_DEADLINE_MS} ms, only:\n${printed.join('\n')}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });
}
