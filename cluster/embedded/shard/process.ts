/** Brings one `mongod` up, in the order and with the log lines of a real one (src/mongo/db/mongod_main.cpp). */
import { existsSync, writeSync } from 'node:fs';
import type { Document } from 'bson';
import { engineLibrary, readBuildInfo, versionText } from '../build-info.ts';
import { type MongodOptions, parseMongodFlags } from '../flags.ts';
import { type Running, StartError } from '../lifecycle.ts';
import { announce, listen, logReady, type Voice } from '../listener.ts';
import { log } from '../log.ts';
import { decodePlain, encode } from '../wire/bson.ts';
import type { WireServer } from '../wire/server.ts';
import type { Mongod } from './context.ts';
import { dispatch } from './dispatch.ts';
import { Engine } from './engine.ts';
import { IdleCursors } from './idle-cursors.ts';
import { setParameters } from './parameters.ts';
import { recount, wasKilled } from './recovery.ts';
import { ReplicaSet } from './replica-set.ts';
import { WritesUnderWay } from './writes-under-way.ts';

const VOICE: Voice = { context: 'initandlisten', listenerErrorId: 20568 };
/** Exit code for a data directory that cannot be had (src/mongo/util/exit_code.h). */
const UNCAUGHT = 100;
/** How long the engine may take to end what it is running and to write what it holds to a slow disk, in milliseconds: less than the process may. */
const CLOSE_LIMIT_MS = 20_000;

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
  announce(options, buildInfo, VOICE, options.dbpath);
  let ready: (mongod: Mongod) => void = () => {};
  const mongod = new Promise<Mongod>((resolve) => {
    ready = resolve;
  });
  const servers = await listen(
    options,
    async (request, connection) => dispatch(request, connection, await mongod),
    VOICE,
  );
  const killed = await wasKilled(options.dbpath);
  const engine = await openEngine(options);
  if (killed) await recount(engine);
  await setParameters(options.setParameters, engine);
  ready(await stateOf(options, engine, { buildInfo, shutdown }));
  logReady(options);
  log({ component: 'CONTROL', id: 8423403, message: 'mongod startup complete' });
  return { close: () => closeAll(servers, engine) };
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
  rest: { buildInfo: Document; shutdown: () => void },
): Promise<Mongod> {
  const replicaSet = await ReplicaSet.load(options, engine);
  const limits = decodePlain(await engine.run(encode({ hello: 1, $db: 'admin' })));
  return {
    options,
    engine,
    cursors: new IdleCursors(engine),
    writes: new WritesUnderWay(),
    replicaSet,
    limits,
    ...rest,
  };
}

async function closeAll(servers: readonly WireServer[], engine: Engine): Promise<void> {
  const deadline = setTimeout(die, CLOSE_LIMIT_MS);
  await Promise.all(servers.map((server) => server.close()));
  await engine.close();
  clearTimeout(deadline);
}

/** Node.js cannot exit while the engine runs a command (it hangs or ends with SIGSEGV), so a command that will not end is killed with it. */
function die(): void {
  log({
    severity: 'F',
    component: 'CONTROL',
    id: 9_990_004,
    message: 'The engine did not close in time; ending by SIGKILL',
  });
  process.kill(process.pid, 'SIGKILL');
}
