/** Brings one `mongos` up, in the order and with the log lines of a real one (src/mongo/s/mongos_main.cpp). */
import { writeSync } from 'node:fs';
import type { Document } from 'bson';
import { readBuildInfo, versionText } from '../build-info.ts';
import { type MongosOptions, parseMongosFlags } from '../flags.ts';
import { type Running, StartError } from '../lifecycle.ts';
import { log } from '../log.ts';
import type { Peer } from '../wire/client.ts';
import { serve, type WireServer } from '../wire/server.ts';
import type { Router } from './command.ts';
import { initialiseConfigServer } from './config-server.ts';
import { openCursors } from './cursors.ts';
import { answer } from './dispatch.ts';
import { ConfigCatalog } from './metadata/config-catalog.ts';
import { pingForever } from './ping.ts';
import { waitForPrimary } from './wait-for-config.ts';

/** Exit code (src/mongo/util/exit_code.h). */
const NET_ERROR = 48;
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
  announce(options, buildInfo);
  let ready: (router: Router) => void = () => {};
  const router = new Promise<Router>((resolve) => {
    ready = resolve;
  });
  const servers = await listen(options, router);
  const { peer, limits } = await waitForPrimary(options.configdb);
  const catalog = await openCatalog(peer);
  ready(routerOf(options, { catalog, buildInfo, limits, shutdown }));
  const stopPinging = pingForever(await router);
  logReady(options);
  return { close: () => closeAll(servers, catalog, stopPinging) };
}

function announce(options: MongosOptions, buildInfo: Document): void {
  const { port, argv, bindIp } = options;
  const about = { pid: process.pid, port, architecture: '64-bit', host: bindIp[0] };
  log({ component: 'CONTROL', id: 4615611, context: 'mongosMain', message: 'MongoDB starting', attributes: about });
  const { version, gitVersion, modules, allocator } = buildInfo;
  const build = { buildInfo: { version, gitVersion, modules, allocator } };
  log({ component: 'CONTROL', id: 23403, context: 'mongosMain', message: 'Build Info', attributes: build });
  const given = { options: argv };
  log({
    component: 'CONTROL',
    id: 21951,
    context: 'mongosMain',
    message: 'Options set by command line',
    attributes: given,
  });
}

/** Takes the port first, as a server does; who connects already waits until the router is ready. */
async function listen({ bindIp, port }: MongosOptions, router: Promise<Router>): Promise<WireServer[]> {
  const servers: WireServer[] = [];
  for (const host of bindIp) {
    try {
      const handler = async (...[request, connection]: Parameters<Parameters<typeof serve>[1]>): Promise<Buffer> =>
        answer(await router, request, connection);
      servers.push(await serve({ host, port }, handler, logFault));
    } catch (error) {
      throw listenerError(error as NodeJS.ErrnoException);
    }
  }
  return servers;
}

function logFault(connection: { id: number; remote: string }, error: unknown): void {
  log({
    component: 'NETWORK',
    id: 22988,
    context: `conn${connection.id}`,
    message: 'Error receiving request from client. Ending connection from remote',
    attributes: { error: String(error), remote: connection.remote, connectionId: connection.id },
  });
}

function listenerError({ code, message }: NodeJS.ErrnoException): StartError {
  const errmsg = code === 'EADDRINUSE' ? 'Address already in use' : message;
  return new StartError(
    {
      severity: 'E',
      component: 'CONTROL',
      id: 22856,
      context: 'mongosMain',
      message: 'Error setting up listener',
      attributes: { error: { code: 9001, codeName: 'SocketException', errmsg } },
    },
    NET_ERROR,
  );
}

async function openCatalog(config: Peer): Promise<ConfigCatalog> {
  await initialiseConfigServer(config);
  const catalog = new ConfigCatalog(config);
  await catalog.reload();
  return catalog;
}

function routerOf(
  { bindIp, port, configdb, argv }: MongosOptions,
  { catalog, ...rest }: { catalog: ConfigCatalog } & Pick<Router, 'buildInfo' | 'limits' | 'shutdown'>,
): Router {
  return {
    address: `${bindIp[0]}:${port}`,
    configdb: `${configdb.replSet}/${configdb.hosts.join(',')}`,
    argv,
    startedAt: new Date(),
    catalog,
    metadata: catalog,
    cursors: openCursors(catalog),
    ...rest,
  };
}

function logReady({ port }: MongosOptions): void {
  const attributes = { port, ssl: 'off' };
  log({ component: 'NETWORK', id: 23016, context: 'listener', message: 'Waiting for connections', attributes });
  log({ component: 'CONTROL', id: 8423405, context: 'mongosMain', message: 'mongos startup complete' });
}

async function closeAll(servers: readonly WireServer[], catalog: ConfigCatalog, stop: () => void): Promise<void> {
  stop();
  await Promise.all(servers.map((server) => server.close()));
  catalog.close();
}
