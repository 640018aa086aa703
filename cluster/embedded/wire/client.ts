/** Commands to another server as bytes, replies as bytes: what a router needs of a driver, and no more. */
import { connect, type Socket } from 'node:net';
import { type DocumentSequence, encodeCommand, FrameReader, parseReply } from './message.ts';

/** A server could not be reached, or the connection broke before it had answered: whether it did the work is unknown. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  /** `host:port` of the server. */
  readonly address: string;

  constructor(address: string, cause: unknown) {
    super(`${address}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.address = address;
  }
}

/** A pool of connections to one server, one command on each at a time. Grows with the commands under way. */
export class Peer {
  readonly address: string;
  readonly #host: string;
  readonly #port: number;
  readonly #idle: Link[] = [];
  readonly #all = new Set<Link>();
  #requestId = 0;

  /** @param address `host:port` */
  constructor(address: string) {
    const colon = address.lastIndexOf(':');
    this.address = address;
    this.#host = address.slice(0, colon);
    this.#port = Number(address.slice(colon + 1));
  }

  /**
   * Runs one command and returns the reply's BSON, whatever it says: an error reply is a reply.
   * @throws PeerError when the server cannot be reached or goes away before it has answered
   */
  async send(body: Buffer, sequences: readonly DocumentSequence[] = []): Promise<Buffer> {
    const link = this.#idle.pop() ?? this.#open();
    const reply = await link.exchange(encodeCommand(++this.#requestId, body, sequences));
    this.#idle.push(link);
    return reply;
  }

  /** Breaks every connection; commands under way fail. */
  close(): void {
    for (const link of this.#all) link.destroy(new Error('the pool was closed'));
  }

  #open(): Link {
    const link = new Link(this.#host, this.#port, this.address, () => {
      this.#all.delete(link);
      const at = this.#idle.indexOf(link);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    this.#all.add(link);
    return link;
  }
}

class Link {
  readonly #socket: Socket;
  readonly #address: string;
  readonly #frames = new FrameReader();
  #waiting: { resolve: (reply: Buffer) => void; reject: (error: PeerError) => void } | undefined;
  #broken: PeerError | undefined;

  constructor(host: string, port: number, address: string, onGone: () => void) {
    this.#address = address;
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.destroy(error));
    this.#socket.on('close', () => {
      this.destroy(new Error('connection closed'));
      onGone();
    });
  }

  exchange(frame: Buffer): Promise<Buffer> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(frame);
    });
  }

  destroy(cause: Error): void {
    this.#broken ??= new PeerError(this.#address, cause);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#socket.destroy();
    waiting?.reject(this.#broken);
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        waiting?.resolve(parseReply(frame).body);
      }
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}
