/** A port of 127.0.0.1 that answers MongoDB's wire protocol. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { encodeReply, FrameReader, parseRequest, type Request } from './message.ts';

/** A connection with this many messages unanswered is not read: unacknowledged writes can come faster than they are done. */
const MAX_WAITING = 8;

/** One client connection, as a handler sees it. */
export interface Connection {
  /** Counts up from 1 (`connectionId` of `hello`). */
  readonly id: number;
  /** `host:port` of the client. */
  readonly remote: string;
  /** Where a handler keeps what it knows of this client; dropped with the connection. */
  readonly state: Map<string, unknown>;
}

/** What has passed through a port since it was opened. */
export interface Traffic {
  /** Connections that are open. */
  current: number;
  /** Connections that were ever opened. */
  totalCreated: number;
  /** Bytes and messages with their headers; a request counts when it is whole. */
  bytesIn: number;
  bytesOut: number;
  numRequests: number;
}

/** Answers one command with the reply's BSON. What it throws ends the connection, so it turns command errors into replies. */
export type Handler = (request: Request, connection: Connection) => Promise<Buffer>;

/**
 * Listens on a port and answers each connection's messages in the order they came, all connections side by side.
 * A client that does not read its replies holds up only itself.
 * @param onFault told what ended a connection: a broken message, or a handler that threw
 * @throws the socket error, `EADDRINUSE` among them, when the port cannot be bound
 */
export async function serve(
  address: { host: string; port: number },
  handler: Handler,
  onFault: (connection: Connection, error: unknown) => void,
): Promise<WireServer> {
  const server = new WireServer(handler, onFault);
  await server.listen(address.host, address.port);
  return server;
}

/** See {@link serve}. */
export class WireServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #handler: Handler;
  readonly #onFault: (connection: Connection, error: unknown) => void;
  #connections = 0;
  readonly #passed = { bytesIn: 0, bytesOut: 0, numRequests: 0 };

  constructor(handler: Handler, onFault: (connection: Connection, error: unknown) => void) {
    this.#handler = handler;
    this.#onFault = onFault;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  /** The port that is listened on; the system's choice where 0 was asked for. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get traffic(): Traffic {
    return { current: this.#sockets.size, totalCreated: this.#connections, ...this.#passed };
  }

  /** Closes the port and every connection at once. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const connection: Connection = {
      id: ++this.#connections,
      remote: `${socket.remoteAddress}:${socket.remotePort}`,
      state: new Map(),
    };
    const frames = new FrameReader();
    let queue = Promise.resolve();
    let waiting = 0;
    const fail = (error: unknown): void => {
      if (socket.destroyed) return;
      this.#onFault(connection, error);
      socket.destroy();
    };
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy()); // a client that went away is no fault
    socket.on('data', (chunk) => {
      try {
        for (const frame of frames.push(chunk)) {
          const request = parseRequest(frame);
          this.#passed.bytesIn += frame.length;
          this.#passed.numRequests++;
          if (++waiting === MAX_WAITING) socket.pause();
          queue = queue
            .then(() => this.#answer(socket, request, connection))
            .catch(fail)
            .then(() => {
              if (waiting-- === MAX_WAITING) socket.resume();
            });
        }
      } catch (error) {
        fail(error);
      }
    });
  }

  async #answer(socket: Socket, request: Request, connection: Connection): Promise<void> {
    if (!this.#server.listening) return; // but for a client that has gone what it sent is done, as a server does it
    const body = await this.#handler(request, connection);
    if (request.moreToCome || socket.destroyed) return;
    const reply = encodeReply(request, body);
    this.#passed.bytesOut += reply.length;
    if (!socket.write(reply)) await drained(socket);
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
