/** Brings one `mongos` up, in the order and with the log lines of a real one (src/mongo/s/mongos_main.cpp). */
import { writeSync } from 'node:fs';
import { readBuildInfo, versionText } from '../build-info.ts';
import { type MongosOptions, parseMongosFlags } from '../flags.ts';
import type { Running } from '../lifecycle.ts';
import { announce, listen, logReady, type Voice } from '../listener.ts';
import { log } from '../log.ts';
import type { Peer } from '../wire/client.ts';
import type { Traffic, WireServer } from '../wire/server.ts';
import type { Router } from './command.ts';
import { initialiseConfigServer } from './config-server.ts';
import { openCursors } from './cursors.ts';
import { answer, isAnswered } from './dispatch.ts';
import { clearUp } from './journal/clear-up.ts';
import { recover } from './journal/recover.ts';
import { ConfigCatalog } from './metadata/config-catalog.ts';
import { OpCounters } from './op-counters.ts';
import { pingForever } from './ping.ts';
import { RetryableWrites } from './sessions.ts';
import { waitForPrimary } from './wait-for-config.ts';

const VOICE: Voice = { context: 'mongosMain', listenerErrorId: 22856 };
/** Says in `buildInfo` that routing here is a model, and not MongoDB's. */
const MODEL_MODULE = 'shardlab-model';

/**
 * Starts a `mongos`; resolves when it answers clients, with nothing when `--version` was all that was asked.
 * Waits for the config server without an end, as a real one does.
 * @param shutdown ends the process as a signal does
 * @throws CommandLineError, or StartError when the port cannot be had
 */
export async function startMongos(argv: readonly string[], shutdown: () => void): Promise<Running | undefined> {
  const options = parseMongosFlags(argv);
  const engineInfo = readBuildInfo();
  const buildInfo = { ...engineInfo, modules: [...(engineInfo.modules ?? []), MODEL_MODULE] };
  if (options.version) {
    writeSync(1, versionText('mongos', buildInfo));
    return undefined;
  }
  announce(options, buildInfo, VOICE);
  let ready: (router: Router) => void = () => {};
  const router = new Promise<Router>((resolve) => {
    ready = resolve;
  });
  const servers = await listen(
    options,
    async (request, connection) => answer(await router, request, connection),
    VOICE,
  );
  const { peer, limits } = await waitForPrimary(options.configdb);
  const catalog = await openCatalog(peer, addressOf(options));
  await recover({ metadata: catalog, address: addressOf(options) });
  ready(routerOf(options, { catalog, buildInfo, limits, traffic: () => trafficOf(servers), shutdown }));
  const stopPinging = await pingForever(await router);
  logReady(options);
  log({ component: 'CONTROL', id: 8423405, context: VOICE.context, message: 'mongos startup complete' });
  return { close: () => closeAll(servers, catalog, stopPinging) };
}

async function openCatalog(config: Peer, address: string): Promise<ConfigCatalog> {
  await clearUp(config);
  await initialiseConfigServer(config);
  const catalog = new ConfigCatalog(config, address);
  await catalog.reload();
  return catalog;
}

function addressOf({ bindIp, port }: MongosOptions): string {
  return `${bindIp[0]}:${port}`;
}

function routerOf(
  options: MongosOptions,
  { catalog, ...rest }: { catalog: ConfigCatalog } & Pick<Router, 'buildInfo' | 'limits' | 'traffic' | 'shutdown'>,
): Router {
  const { configdb, argv, setParameters } = options;
  return {
    address: addressOf(options),
    configdb: `${configdb.replSet}/${configdb.hosts.join(',')}`,
    argv,
    setParameters,
    startedAt: new Date(),
    answers: isAnswered,
    catalog,
    metadata: catalog,
    cursors: openCursors(catalog),
    retries: new RetryableWrites(),
    opCounters: new OpCounters(),
    ...rest,
  };
}

function trafficOf(servers: readonly WireServer[]): Traffic {
  const sum = { current: 0, totalCreated: 0, bytesIn: 0, bytesOut: 0, numRequests: 0 };
  for (const { traffic } of servers) {
    for (const name of Object.keys(sum) as (keyof Traffic)[]) sum[name] += traffic[name];
  }
  return sum;
}

async function closeAll(servers: readonly WireServer[], catalog: ConfigCatalog, stop: () => void): Promise<void> {
  stop();
  await Promise.all(servers.map((server) => server.close()));
  catalog.close();
}
