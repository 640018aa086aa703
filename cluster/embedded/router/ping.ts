/** `config.mongos`: a router says that it is there, at its start and every 30 seconds (src/mongo/s/sharding_uptime_reporter.cpp). */
import { Long } from 'bson';
import { log } from '../log.ts';
import type { Router } from './command.ts';

const INTERVAL_MS = 30_000;

/** @returns once it has said so, what ends it */
export async function pingForever(router: Router): Promise<() => void> {
  await ping(router);
  const timer = setInterval(() => void ping(router), INTERVAL_MS);
  return () => clearInterval(timer);
}

async function ping({ address, buildInfo, startedAt, metadata }: Router): Promise<void> {
  const set = {
    advisoryHostFQDNs: [],
    created: startedAt,
    mongoVersion: buildInfo.version,
    ping: new Date(),
    up: Long.fromNumber(Math.floor((Date.now() - startedAt.getTime()) / 1000)),
    waiting: true,
  };
  try {
    await metadata.commit([{ update: 'mongos', filter: { _id: address }, set, upsert: true }], () => {});
  } catch (error) {
    const message = 'Caught exception while reporting uptime';
    const attributes = { error: (error as Error).message };
    log({ severity: 'W', component: 'SHARDING', id: 22875, context: 'Uptime-reporter', message, attributes });
  }
}
