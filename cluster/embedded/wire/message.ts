/**
 * MongoDB's wire protocol as far as the drop-ins speak it: OP_MSG both ways, and OP_QUERY/OP_REPLY for the handshake
 * of older drivers. Messages are cut and joined here and never decoded; see https://github.com/mongodb/specifications
 * (source/message/OP_MSG.md).
 */
const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** Bits 0–15 of OP_MSG's flags must be understood by whoever reads the message. */
const REQUIRED_FLAGS = 0xffff;

/** The largest message accepted and announced, in bytes (`maxMessageSizeBytes` of `hello`). */
export const MAX_MESSAGE_BYTES = 48_000_000;

/** Documents sent beside a command's body, as `documents` of an insert: concatenated BSON, still one buffer. */
export interface DocumentSequence {
  /** The field of the command that the documents stand for. */
  name: string;
  /** The documents, one after the other. */
  bytes: Buffer;
}

/** One command as it arrived. The buffers are views into the frame it came in. */
export interface Request {
  requestId: number;
  /** It came as OP_QUERY, so its answer has to be an OP_REPLY. */
  legacy: boolean;
  /** The client wants no answer (an unacknowledged write). */
  moreToCome: boolean;
  body: Buffer;
  sequences: DocumentSequence[];
}

/** A frame that breaks the protocol: the connection it came on cannot be used any further. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/**
 * Reads one whole frame.
 * @throws ProtocolError when it is not a well-formed OP_MSG or OP_QUERY of a command
 */
export function parseRequest(frame: Buffer): Request {
  const opcode = frame.readInt32LE(12);
  if (opcode === OP_MSG) return parseMsg(frame);
  if (opcode === OP_QUERY) return parseQuery(frame);
  throw new ProtocolError(`unsupported opcode ${opcode}`);
}

function parseMsg(frame: Buffer): Request {
  const { flags, body, sequences } = sectionsOf(frame);
  const unknown = flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME);
  if (unknown) throw new ProtocolError(`unsupported OP_MSG flags ${unknown}`);
  return { requestId: frame.readInt32LE(4), legacy: false, moreToCome: (flags & MORE_TO_COME) !== 0, body, sequences };
}

function sectionsOf(frame: Buffer): { flags: number; body: Buffer; sequences: DocumentSequence[] } {
  if (frame.length < HEADER_BYTES + 10) throw new ProtocolError('OP_MSG is too short');
  const flags = frame.readUInt32LE(HEADER_BYTES);
  const end = frame.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences: DocumentSequence[] = [];
  let body: Buffer | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = frame.readUInt8(at);
    const size = at + 5 <= end ? frame.readInt32LE(at + 1) : 0;
    if (size < 5 || at + 1 + size > end) throw new ProtocolError('a section of OP_MSG exceeds the message');
    const section = frame.subarray(at + 1, at + 1 + size);
    if (kind === 0 && !body) body = section;
    else if (kind === 1) sequences.push(sequenceOf(section));
    else throw new ProtocolError(kind === 0 ? 'OP_MSG has two bodies' : `unsupported section kind ${kind}`);
    at += 1 + size;
  }
  if (!body) throw new ProtocolError('OP_MSG has no body');
  return { flags, body, sequences };
}

function sequenceOf(section: Buffer): DocumentSequence {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('a document sequence has no name');
  return { name: section.toString('latin1', 4, nameEnd), bytes: section.subarray(nameEnd + 1) };
}

function parseQuery(frame: Buffer): Request {
  const nameEnd = frame.indexOf(0, HEADER_BYTES + 4);
  const at = nameEnd + 9; // skips numberToSkip and numberToReturn
  if (nameEnd < 0 || at + 5 > frame.length) throw new ProtocolError('OP_QUERY is too short');
  const size = frame.readInt32LE(at);
  if (size < 5 || at + size > frame.length) throw new ProtocolError('the query of OP_QUERY exceeds the message');
  return {
    requestId: frame.readInt32LE(4),
    legacy: true,
    moreToCome: false,
    body: frame.subarray(at, at + size),
    sequences: [],
  };
}

/** The answer to `request` as bytes for the socket. */
export function encodeReply(request: Pick<Request, 'requestId' | 'legacy'>, body: Buffer): Buffer {
  return request.legacy ? encodeOpReply(request.requestId, body) : encodeMsg(0, request.requestId, body, []);
}

/** A command as bytes for the socket of another server. */
export function encodeCommand(requestId: number, body: Buffer, sequences: readonly DocumentSequence[] = []): Buffer {
  return encodeMsg(requestId, 0, body, sequences);
}

function encodeMsg(
  requestId: number,
  responseTo: number,
  body: Buffer,
  sequences: readonly DocumentSequence[],
): Buffer {
  const parts = [Buffer.allocUnsafe(HEADER_BYTES + 5), body];
  for (const { name, bytes } of sequences) {
    const head = Buffer.allocUnsafe(5 + name.length + 1);
    head.writeUInt8(1, 0);
    head.writeInt32LE(4 + name.length + 1 + bytes.length, 1);
    head.write(`${name}\0`, 5, 'latin1');
    parts.push(head, bytes);
  }
  const frame = Buffer.concat(parts);
  writeHeader(frame, requestId, responseTo, OP_MSG);
  frame.writeUInt32LE(0, HEADER_BYTES);
  frame.writeUInt8(0, HEADER_BYTES + 4);
  return frame;
}

function encodeOpReply(responseTo: number, body: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.alloc(HEADER_BYTES + 20), body]);
  writeHeader(frame, 0, responseTo, OP_REPLY);
  frame.writeInt32LE(1, HEADER_BYTES + 16); // documents returned
  return frame;
}

function writeHeader(frame: Buffer, requestId: number, responseTo: number, opcode: number): void {
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(requestId, 4);
  frame.writeInt32LE(responseTo, 8);
  frame.writeInt32LE(opcode, 12);
}

/**
 * The body of a reply that another server sent as OP_MSG.
 * @throws ProtocolError when the frame is none
 */
export function parseReply(frame: Buffer): { responseTo: number; body: Buffer } {
  if (frame.readInt32LE(12) !== OP_MSG) throw new ProtocolError(`a reply has opcode ${frame.readInt32LE(12)}`);
  return { responseTo: frame.readInt32LE(8), body: sectionsOf(frame).body };
}

/** Cuts a byte stream into frames. Chunks of a large frame are joined once, when the last of them is there. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /**
   * Takes what a socket delivered and returns the frames that are now complete.
   * @throws ProtocolError when a frame announces an impossible length
   */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const frames: Buffer[] = [];
    for (let length = this.#nextLength(); length !== undefined && length <= this.#bytes; length = this.#nextLength()) {
      const all = this.#join();
      frames.push(all.subarray(0, length));
      this.#chunks = length < all.length ? [all.subarray(length)] : [];
      this.#bytes = all.length - length;
    }
    return frames;
  }

  #nextLength(): number | undefined {
    if (this.#bytes < 4) return undefined;
    const head = this.#chunks[0] as Buffer;
    const length = (head.length >= 4 ? head : this.#join()).readInt32LE(0);
    if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) throw new ProtocolError(`a message of ${length} bytes`);
    return length;
  }

  #join(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#bytes)];
    return this.#chunks[0] as Buffer;
  }
}
