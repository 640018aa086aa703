/** Brings one `mongod` up, in the order and with the log lines of a real one (src/mongo/db/mongod_main.cpp). */
import { existsSync, writeSync } from 'node:fs';
import type { Document } from 'bson';
import { engineLibrary, readBuildInfo, versionText } from '../build-info.ts';
import { type MongodOptions, parseMongodFlags } from '../flags.ts';
import { type Running, StartError } from '../lifecycle.ts';
import { log } from '../log.ts';
import { decodePlain, encode } from '../wire/bson.ts';
import { serve, type WireServer } from '../wire/server.ts';
import type { Mongod } from './context.ts';
import { dispatch } from './dispatch.ts';
import { Engine } from './engine.ts';
import { IdleCursors } from './idle-cursors.ts';
import { ReplicaSet } from './replica-set.ts';

/** Exit codes (src/mongo/util/exit_code.h). */
const NET_ERROR = 48;
const UNCAUGHT = 100;

/**
 * Starts a `mongod`; resolves when it answers clients, with nothing when `--version` was all that was asked.
 * @param shutdown ends the process as a signal does
 * @throws CommandLineError, or StartError when the port or the data directory cannot be had
 */
export async function startMongod(argv: readonly string[], shutdown: () => void): Promise<Running | undefined> {
  const options = parseMongodFlags(argv);
  const buildInfo = readBuildInfo();
  if (options.version) {
    writeSync(1, versionText('mongod', buildInfo));
    return undefined;
  }
  announce(options, buildInfo);
  let ready: (mongod: Mongod) => void = () => {};
  const mongod = new Promise<Mongod>((resolve) => {
    ready = resolve;
  });
  const servers = await listen(options, mongod);
  const engine = await openEngine(options);
  ready({ ...(await stateOf(options, engine)), buildInfo, shutdown });
  logReady(options);
  return { close: () => closeAll(servers, engine) };
}

function announce(options: MongodOptions, buildInfo: Document): void {
  const { port, dbpath: dbPath, argv } = options;
  const about = { pid: process.pid, port, dbPath, architecture: '64-bit', host: options.bindIp[0] };
  log({ component: 'CONTROL', id: 4615611, message: 'MongoDB starting', attributes: about });
  const { version, gitVersion, modules, allocator } = buildInfo;
  const build = { buildInfo: { version, gitVersion, modules, allocator } };
  log({ component: 'CONTROL', id: 23403, message: 'Build Info', attributes: build });
  log({ component: 'CONTROL', id: 21951, message: 'Options set by command line', attributes: { options: argv } });
}

/** Takes the port first, as a server does; who connects already waits until the engine is open. */
async function listen(options: MongodOptions, mongod: Promise<Mongod>): Promise<WireServer[]> {
  const servers: WireServer[] = [];
  for (const host of options.bindIp) {
    try {
      const address = { host, port: options.port };
      servers.push(
        await serve(address, async (request, connection) => dispatch(request, connection, await mongod), logFault),
      );
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
      id: 20568,
      message: 'Error setting up listener',
      attributes: { error: { code: 9001, codeName: 'SocketException', errmsg } },
    },
    NET_ERROR,
  );
}

async function openEngine({ dbpath, storageEngine }: MongodOptions): Promise<Engine> {
  if (storageEngine !== 'wiredTiger') {
    throw dataError(`Location18656: Cannot start server with an unknown storage engine: ${storageEngine}`);
  }
  if (!existsSync(dbpath)) {
    throw dataError(
      `NonExistentPath: Data directory ${dbpath} not found. Create the missing directory or specify another path using (1) the --dbpath command line option, or (2) by adding the 'storage.dbPath' option in the configuration file.`,
    );
  }
  try {
    return await Engine.open(engineLibrary(), dbpath);
  } catch (error) {
    throw dataError((error as Error).message.replace(/^embedded MongoDB error: /, ''));
  }
}

function dataError(error: string): StartError {
  const message = 'DBException in initAndListen, terminating';
  return new StartError({ severity: 'E', component: 'CONTROL', id: 20557, message, attributes: { error } }, UNCAUGHT);
}

async function stateOf(
  options: MongodOptions,
  engine: Engine,
): Promise<Pick<Mongod, 'options' | 'engine' | 'cursors' | 'replicaSet' | 'limits'>> {
  const replicaSet = await ReplicaSet.load(options, engine);
  const limits = decodePlain(await engine.run(encode({ hello: 1, $db: 'admin' })));
  return { options, engine, cursors: new IdleCursors(engine), replicaSet, limits };
}

function logReady({ port }: MongodOptions): void {
  const context = 'listener';
  log({
    component: 'NETWORK',
    id: 23016,
    context,
    message: 'Waiting for connections',
    attributes: { port, ssl: 'off' },
  });
  log({ component: 'CONTROL', id: 8423403, message: 'mongod startup complete' });
}

async function closeAll(servers: readonly WireServer[], engine: Engine): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
  await engine.close();
}
