/** Free ports. One that was free a moment ago is only a hint: whoever binds it must be ready to be told another. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { couldNot } from './errors.ts';
import { HOST } from './layout.ts';

/** Thrown by a start that found its port taken. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  /** The failure as it is reported when no attempt is left. */
  readonly failure: Error;

  constructor(port: number, failure: Error) {
    super(`port ${port} was taken between choosing and binding it`);
    this.failure = failure;
  }
}

const ATTEMPTS = 5;

/**
 * Starts something on a free port, again with another port while it finds the port taken, five times at most.
 * @param name of the member, for an error
 * @param start throws {@link PortTakenError} to be called again; anything else it throws is final
 * @throws ClusterStartError when no port is to be had
 */
export async function onFreePort<T>(name: string, start: (port: number, attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort().catch((error) => Promise.reject(couldNot(name, 'get a port', error)));
    try {
      return await start(port, attempt);
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      if (attempt === ATTEMPTS) throw error.failure;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
