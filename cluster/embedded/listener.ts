/** What both programs do on their way up: say what they are, and take their port. */
import type { Document } from 'bson';
import { StartError } from './lifecycle.ts';
import { log } from './log.ts';
import { type Handler, serve, type WireServer } from './wire/server.ts';

/** Exit code (src/mongo/util/exit_code.h). */
const NET_ERROR = 48;

/** The part of the command line that both programs have. */
interface Listening {
  port: number;
  bindIp: readonly string[];
  argv: readonly string[];
}

/** Where two programs say the same thing differently. */
export interface Voice {
  /** The thread that speaks. */
  context: string;
  /** The log id of "Error setting up listener". */
  listenerErrorId: number;
}

/** Logs the first lines. */
export function announce(
  { port, bindIp, argv }: Listening,
  buildInfo: Document,
  { context }: Voice,
  dbPath?: string,
): void {
  const about = { pid: process.pid, port, ...(dbPath ? { dbPath } : {}), architecture: '64-bit', host: bindIp[0] };
  log({ component: 'CONTROL', id: 4615611, context, message: 'MongoDB starting', attributes: about });
  const { version, gitVersion, modules, allocator } = buildInfo;
  const build = { buildInfo: { version, gitVersion, modules, allocator } };
  log({ component: 'CONTROL', id: 23403, context, message: 'Build Info', attributes: build });
  log({
    component: 'CONTROL',
    id: 21951,
    context,
    message: 'Options set by command line',
    attributes: { options: argv },
  });
}

/**
 * Takes the port, as a server does before anything else; who connects already waits for the answer of `handler`.
 * @throws StartError when it cannot be had
 */
export async function listen({ bindIp, port }: Listening, handler: Handler, voice: Voice): Promise<WireServer[]> {
  const servers: WireServer[] = [];
  for (const host of bindIp) {
    try {
      servers.push(await serve({ host, port }, handler, logFault));
    } catch (error) {
      throw listenerError(error as NodeJS.ErrnoException, voice);
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

function listenerError({ code, message }: NodeJS.ErrnoException, { context, listenerErrorId }: Voice): StartError {
  const errmsg = code === 'EADDRINUSE' ? 'Address already in use' : message;
  const attributes = { error: { code: 9001, codeName: 'SocketException', errmsg } };
  const entry = { severity: 'E', component: 'CONTROL', id: listenerErrorId, context, attributes } as const;
  return new StartError({ ...entry, message: 'Error setting up listener' }, NET_ERROR);
}

/** Logs that clients are served. */
export function logReady({ port }: Listening): void {
  const attributes = { port, ssl: 'off' };
  log({ component: 'NETWORK', id: 23016, context: 'listener', message: 'Waiting for connections', attributes });
}
