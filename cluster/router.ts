/** One `mongos`. */
import { execa, type Options } from 'execa';
import { couldNot } from './errors.ts';
import { HOST, routerArgs } from './layout.ts';
import { isRunning, type Member } from './member.ts';
import { onFreePort } from './ports.ts';
import type { Starting } from './starting.ts';

/** A router that accepts connections. */
export interface RunningRouter {
  name: string;
  /** `127.0.0.1:<port>` */
  host: string;
  member: Member;
}

/**
 * @param mongos path of the executable
 * @param configServer a replica set whose primary answers majority reads
 * @throws ClusterStartError; the reason when the start is called off
 */
export async function startRouter(
  name: string,
  mongos: string,
  configServer: { name: string; host: string },
  starting: Starting,
): Promise<RunningRouter> {
  return onFreePort(async (port) => {
    const subprocess = execa(mongos, routerArgs(port, configServer), spawnOptions(starting));
    if (!isRunning(subprocess)) throw couldNot(name, 'be run', (await subprocess).shortMessage);
    const member = starting.launched(name, subprocess);
    await starting.readiness(member, port);
    return { name, host: `${HOST}:${port}`, member };
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
