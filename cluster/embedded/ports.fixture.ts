/** Ports for servers that tests start, and start again. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

const held: Socket[] = [];

/**
 * A port that nobody listens on and nobody else is given: it is none of those that the system hands out by itself, to whoever asks for any
 * and to every connection, and other tests see by the UDP port of the same number, held until {@link releasePorts}, that it is taken. So it is
 * still free when a server comes to bind it, and when one that was killed is started again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if ((await hold(port)) && (await isFree(port))) return port;
  }
}

/** Lets others have the ports of this test file. */
export function releasePorts(): void {
  for (const socket of held.splice(0)) socket.close();
}

async function hold(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind({ port, address: '127.0.0.1', exclusive: true });
  const isHeld = await happens(socket, 'listening');
  if (isHeld) held.push(socket.unref());
  else socket.close();
  return isHeld;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  if (!(await happens(server, 'listening'))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Whether it happens before an error does. */
function happens(emitter: NodeJS.EventEmitter, event: string): Promise<boolean> {
  return once(emitter, event).then(
    () => true,
    () => false,
  );
}
