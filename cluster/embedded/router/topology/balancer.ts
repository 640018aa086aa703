/** The balancer's switch. Nothing moves by itself here, so it is a switch only (src/mongo/s/commands/cluster_control_balancer_cmd.cpp). */
import { Long } from 'bson';
import { ask } from '../ask.ts';
import { type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { adminOnly } from './admin-only.ts';

const SETTING = 'balancer';

export const balancerCommands: Readonly<Record<string, CommandHandler>> = {
  balancerStart: adminOnly((_call, router) => switchTo({ mode: 'full', stopped: false }, router)),
  balancerStop: adminOnly((_call, router) => switchTo({ mode: 'off', stopped: true }, router)),

  balancerStatus: adminOnly(async (_call, { catalog }) => {
    const { cursor } = await ask(catalog.config, 'config', { find: 'settings', filter: { _id: SETTING } });
    const mode = cursor.firstBatch[0]?.mode ?? 'full';
    return modelReply({ mode, inBalancerRound: false, numBalancerRounds: Long.ZERO });
  }),
};

async function switchTo(setting: { mode: string; stopped: boolean }, { metadata }: Router): Promise<Reply> {
  await metadata.commit([{ update: 'settings', filter: { _id: SETTING }, set: setting, upsert: true }], () => {});
  return modelReply();
}
