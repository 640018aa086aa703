import { describe, expect, test } from 'vitest';
import { encode } from './bson.ts';
import {
  encodeCommand,
  encodeReply,
  FrameReader,
  MAX_MESSAGE_BYTES,
  ProtocolError,
  parseReply,
  parseRequest,
} from './message.ts';

const body = encode({ insert: 'c', $db: 't' });
const documents = Buffer.concat([encode({ a: 1 }), encode({ a: 2 })]);

/** An OP_QUERY of a command, as drivers send their first hello. */
function query(namespace: string, command: Buffer): Buffer {
  const head = Buffer.alloc(20);
  const counts = Buffer.alloc(8);
  const frame = Buffer.concat([head, Buffer.from(`${namespace}\0`), counts, command]);
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(7, 4);
  frame.writeInt32LE(2004, 12);
  return frame;
}

function withFlags(frame: Buffer, flags: number): Buffer {
  const copy = Buffer.from(frame);
  copy.writeUInt32LE(flags, 16);
  return copy;
}

describe('requests', () => {
  test('a command with its document sequence', () => {
    const request = parseRequest(encodeCommand(5, body, [{ name: 'documents', bytes: documents }]));
    expect(request).toEqual({
      requestId: 5,
      legacy: false,
      moreToCome: false,
      body,
      sequences: [{ name: 'documents', bytes: documents }],
    });
  });

  test('one that wants no answer', () => {
    expect(parseRequest(withFlags(encodeCommand(1, body), 2)).moreToCome).toBe(true);
  });

  test('a checksum at the end is left out', () => {
    const frame = Buffer.concat([encodeCommand(1, body), Buffer.alloc(4)]);
    expect(parseRequest(withFlags(frame, 1)).body).toEqual(body);
  });

  test('the optional exhaust flag is no reason to refuse', () => {
    expect(parseRequest(withFlags(encodeCommand(1, body), 0x10000)).body).toEqual(body);
  });

  test('an OP_QUERY', () => {
    expect(parseRequest(query('admin.$cmd', body))).toMatchObject({ requestId: 7, legacy: true, body });
  });
});

const frame = encodeCommand(1, body, [{ name: 'documents', bytes: documents }]);
const sectionAt = 21 + body.length;

test.each([
  ['a required flag nobody knows', withFlags(frame, 4)],
  ['another opcode', patched(frame, (copy) => copy.writeInt32LE(2006, 12))],
  ['a body longer than the message', patched(frame, (copy) => copy.writeInt32LE(1_000_000, 21))],
  ['a section of negative length', patched(frame, (copy) => copy.writeInt32LE(-1, sectionAt + 1))],
  ['a section of unknown kind', patched(frame, (copy) => copy.writeUInt8(9, sectionAt))],
  ['two bodies', patched(frame, (copy) => copy.writeUInt8(0, sectionAt))],
  ['no body', patched(frame, (copy) => copy.writeUInt8(1, 20))],
  ['hardly anything', frame.subarray(0, 18)],
  ['an OP_QUERY cut short', query('admin.$cmd', body).subarray(0, 35)],
])('a frame with %s breaks the protocol', (_, broken) => {
  expect(() => parseRequest(broken)).toThrow(ProtocolError);
});

function patched(original: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(original);
  patch(copy);
  return copy;
}

test('a reply names the request it answers', () => {
  const reply = encode({ ok: 1 });
  expect(parseReply(encodeReply({ requestId: 9, legacy: false }, reply))).toEqual({ responseTo: 9, body: reply });
});

test('an OP_QUERY is answered by an OP_REPLY with one document', () => {
  const reply = encode({ ok: 1 });
  const bytes = encodeReply({ requestId: 9, legacy: true }, reply);
  expect([bytes.readInt32LE(12), bytes.readInt32LE(8), bytes.readInt32LE(32)]).toEqual([1, 9, 1]);
  expect(bytes.subarray(36)).toEqual(reply);
});

describe('FrameReader', () => {
  const frames = [encodeCommand(1, body), encodeCommand(2, encode({ ping: 1 })), frame];

  test.each([1, 3, 16, 50, 10_000])('cuts a stream that comes in chunks of %i bytes', (size) => {
    const stream = Buffer.concat(frames);
    const reader = new FrameReader();
    const cut: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) cut.push(...reader.push(stream.subarray(at, at + size)));
    expect(cut).toEqual(frames);
  });

  test.each([0, 15, -1, MAX_MESSAGE_BYTES + 1])('refuses a message that says it has %i bytes', (length) => {
    const head = Buffer.alloc(16);
    head.writeInt32LE(length, 0);
    expect(() => new FrameReader().push(head)).toThrow(ProtocolError);
  });
});
