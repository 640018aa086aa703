/** One `mongos`. */
import { execa, type Options } from 'execa';
import { couldNot } from './errors.ts';
import { HOST, type RouterPlan, routerArgs } from './layout.ts';
import { isRunning, type RunningMember } from './member.ts';
import { onFreePort } from './ports.ts';
import type { Starting } from './starting.ts';

/**
 * @param mongos path of the executable
 * @param configServer a replica set whose primary answers majority reads
 * @throws ClusterStartError; the reason when the start is called off
 */
export async function startRouter(
  plan: RouterPlan,
  mongos: string,
  configServer: { name: string; host: string },
  starting: Starting,
): Promise<RunningMember> {
  return onFreePort(plan.name, async (port) => {
    const subprocess = execa(mongos, routerArgs(plan, port, configServer), spawnOptions(starting));
    if (!isRunning(subprocess)) throw couldNot(plan.name, 'be run', (await subprocess).shortMessage);
    const member = starting.launched(plan.name, subprocess);
    await starting.readiness(member, port);
    return { member, host: `${HOST}:${port}` };
  });
}

function spawnOptions({ home }: Starting) {
  return {
    env: home.environment,
    extendEnv: false,
    detached: true,
    buffer: false,
    reject: false,
    stdin: 'ignore',
  } as const satisfies Options;
}
