/** How a cluster ends, whether it was whole or half started. */
import type { MongoClient } from 'mongodb';
import type { StopReport } from './cluster.ts';
import type { Member } from './member.ts';
import { bounded } from './waiting.ts';
import type { Home } from './watcher.ts';

/** For a client to say goodbye to its server, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;

/** What there is to stop, each in the order in which it was started. */
export interface Holdings {
  readonly home: Home;
  readonly members: readonly Member[];
  readonly clients: readonly MongoClient[];
}

/** Closes the clients, ends the members, the last started first, and removes the folder. Never rejects. */
export async function stopEverything({ home, members, clients }: Holdings): Promise<StopReport> {
  const endedBefore = members
    .filter(({ ending, portTaken }) => ending !== undefined && !portTaken)
    .map(({ name, ending }) => `${name} ${ending}`);
  const problems = [
    ...(await Promise.all(clients.map(close))),
    ...(await Promise.all(members.toReversed().map(kill))),
    ...(await home.close()),
  ];
  return { endedBefore, problems: problems.filter((problem) => problem !== undefined) };
}

async function close(client: MongoClient): Promise<string | undefined> {
  return bounded(client.close(true), CLOSE_LIMIT_MS).then(
    () => undefined,
    (error: Error) => `a client did not close: ${error.message}`,
  );
}

async function kill(member: Member): Promise<string | undefined> {
  return (await member.kill()) ? undefined : `${member.name} (pid ${member.pid}) did not end although it was killed`;
}
