import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encode, field, firstName, number } from './bson.ts';
import { Peer, PeerError } from './client.ts';
import { encodeCommand, FrameReader, parseReply } from './message.ts';
import { type Handler, serve, type WireServer } from './server.ts';

let server: WireServer;
let port: number;
let faults: unknown[];
let handler: Handler;
const sockets: Socket[] = [];

beforeEach(async () => {
  faults = [];
  handler = async (request) => request.body;
  server = await serve(
    { host: '127.0.0.1', port: 0 },
    (request, connection) => handler(request, connection),
    (_, error) => faults.push(error),
  );
  port = server.port;
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

function open(): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  sockets.push(socket);
  return socket;
}

/** The next `count` replies on a socket. */
async function replies(socket: Socket, count: number): Promise<Array<{ responseTo: number; body: Buffer }>> {
  const reader = new FrameReader();
  const found: Array<{ responseTo: number; body: Buffer }> = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    found.push(...reader.push(chunk).map(parseReply));
    if (found.length >= count) return found;
  }
  return found;
}

test('one connection is answered in the order of its messages, though the first takes longer', async () => {
  let release: () => void = () => {};
  const first = new Promise<void>((resolve) => {
    release = resolve;
  });
  handler = async (request) => {
    if (request.requestId === 1) await first;
    else release();
    return request.body;
  };
  const other = open();
  const socket = open();
  socket.write(Buffer.concat([encodeCommand(1, encode({ a: 1 })), encodeCommand(2, encode({ a: 2 }))]));
  other.write(encodeCommand(3, encode({ a: 3 }))); // another connection does not wait, and lets the first go on
  expect((await replies(other, 1)).map(({ responseTo }) => responseTo)).toEqual([3]);
  expect((await replies(socket, 2)).map(({ responseTo }) => responseTo)).toEqual([1, 2]);
});

/** An insert that wants no answer. */
function unacknowledged(): Buffer {
  const message = encodeCommand(1, encode({ insert: 'c' }));
  message.writeUInt32LE(2, 16);
  return message;
}

test('what wants no answer gets none', async () => {
  const seen: string[] = [];
  handler = async (request) => {
    seen.push(firstName(request.body));
    return request.body;
  };
  const socket = open();
  socket.write(Buffer.concat([unacknowledged(), encodeCommand(2, encode({ ping: 1 }))]));
  expect((await replies(socket, 1)).map(({ responseTo }) => responseTo)).toEqual([2]);
  expect(seen).toEqual(['insert', 'ping']);
});

test('what a client has sent is done though it goes away at once, as a server does it', async () => {
  let seen = 0;
  const all = new Promise<void>((resolve) => {
    handler = async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (++seen === 100) resolve();
      return request.body;
    };
  });
  const socket = open();
  socket.end(Buffer.concat(Array.from({ length: 100 }, unacknowledged)));
  await all;
});

test('a broken message ends its connection and no other', async () => {
  const good = open();
  const bad = open();
  bad.write(Buffer.alloc(16));
  await once(bad, 'close');
  expect(faults).toHaveLength(1);
  good.write(encodeCommand(1, encode({ ping: 1 })));
  expect(await replies(good, 1)).toHaveLength(1);
});

test('a handler that throws ends the connection', async () => {
  handler = () => Promise.reject(new Error('broken handler'));
  const socket = open();
  socket.write(encodeCommand(1, encode({ ping: 1 })));
  await once(socket, 'close');
  expect(faults).toEqual([new Error('broken handler')]);
});

test('a client that sends without end is read no faster than it is answered', async () => {
  let begun = 0;
  handler = () => {
    begun++;
    return new Promise(() => {});
  };
  const socket = open();
  const message = encodeCommand(1, encode({ insert: 'c', pad: 'x'.repeat(1_000_000) }));
  let accepted = true;
  for (let i = 0; i < 100 && accepted; i++) {
    accepted = socket.write(message) || (await drainedSoon(socket));
  }
  expect(accepted).toBe(false);
  expect(begun).toBe(1);
});

/** Whether the other side takes more; a loopback connection that is read drains at once. */
async function drainedSoon(socket: Socket): Promise<boolean> {
  const drained = once(socket, 'drain').then(() => true);
  const stuck = new Promise<boolean>((resolve) => setTimeout(resolve, 200, false));
  return Promise.race([drained, stuck]);
}

test('a taken port is refused', async () => {
  const second = serve({ host: '127.0.0.1', port }, handler, () => {});
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a peer gets the answers to what it sent, many at a time', async () => {
  handler = async (request) => {
    const n = number(field(request.body, 'n')) ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 10 - n));
    return request.body;
  };
  const peer = new Peer(`127.0.0.1:${port}`);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => peer.send(encode({ n }))));
  expect(answers.map((answer) => number(field(answer, 'n')))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  peer.close();
});

test('a peer whose server goes away fails, and says which', async () => {
  handler = async () => {
    void server.close();
    return new Promise<Buffer>(() => {});
  };
  const peer = new Peer(`127.0.0.1:${port}`);
  const sent = peer.send(encode({ ping: 1 }));
  await expect(sent).rejects.toBeInstanceOf(PeerError);
  await expect(sent).rejects.toThrow(`127.0.0.1:${port}: connection closed`);
});
