/** A replica set of one `mongod`: `mongodb-memory-server` builds its arguments and sees when it is primary. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { couldNot } from './errors.ts';
import { HOST, type ReplicaSetPlan } from './layout.ts';
import type { Member, RunningMember } from './member.ts';
import { OneMemberSet } from './memory-server.ts';
import { onFreePort } from './ports.ts';
import type { Starting } from './starting.ts';

/**
 * @param mongod path of the executable
 * @returns its only member, which is primary
 * @throws ClusterStartError; the reason when the start is called off
 */
export async function startReplicaSet(
  plan: ReplicaSetPlan,
  mongod: string,
  starting: Starting,
): Promise<RunningMember> {
  return onFreePort(plan.name, async (port, attempt) => {
    const dbPath = join(starting.home.folder, `${plan.name}-${attempt}`);
    const set = new OneMemberSet({ ...plan, mongod, port, dbPath, environment: starting.home.environment });
    const member = await launch(plan.name, set, dbPath, starting);
    await starting.readiness(member, port);
    const host = `${HOST}:${port}`;
    const client = starting.connect(`mongodb://${host}/?directConnection=true`); // this one saw a member without a set
    await starting.waitFor(member, 'its primary', set.initiate(member, client));
    await starting.waitFor(member, 'the end of the first connection', client.close());
    return { member, host };
  });
}

async function launch(name: string, set: OneMemberSet, dbPath: string, starting: Starting): Promise<Member> {
  try {
    await mkdir(dbPath);
    return starting.launched(name, await set.launch(), (line) => set.readLine(line));
  } catch (error) {
    throw couldNot(name, 'be run', error);
  }
}
