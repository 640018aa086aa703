/** Batches of documents as cursors carry them: BSON arrays, read and built without decoding what they hold. */
import { Double } from 'bson';
import { encode, field, type RawValue, Type } from '../../wire/bson.ts';

/** An empty document is 4 bytes of length and its closing 0. */
const EMPTY_BYTES = 5;
const DIGIT_0 = 0x30;
/** Where the document `cursor` begins in a reply: behind the length, its type and its name. */
const CURSOR_AT = 4 + 1 + 'cursor'.length + 1;

/** The documents of one batch, taken from its front. */
export class Batch {
  readonly #array: Buffer;
  #at = 4;
  #taken = 0;
  #count: number | undefined;

  /** @param array a BSON array that holds documents only */
  constructor(array: Buffer) {
    this.#array = array;
  }

  get isEmpty(): boolean {
    return this.#array[this.#at] === 0;
  }

  /** How many documents there were when the batch came. */
  get count(): number {
    this.#count ??= countOf(this.#array);
    return this.#count;
  }

  /** Size of the array in bytes, documents already taken included. */
  get bytes(): number {
    return this.#array.length;
  }

  /** The whole array while nothing has been taken from it. */
  get untouched(): Buffer | undefined {
    return this.#taken === 0 ? this.#array : undefined;
  }

  /** The next document, as a view; the batch must not be empty. */
  peek(): Buffer {
    const start = this.#at + 2 + digits(this.#taken);
    return this.#array.subarray(start, start + this.#array.readInt32LE(start));
  }

  /** As {@link peek}, stepping over the document. */
  take(): Buffer {
    const document = this.peek();
    this.#at += 2 + digits(this.#taken) + document.length;
    this.#taken++;
    return document;
  }
}

function countOf(array: Buffer): number {
  let count = 0;
  for (let at = 4; array[at] !== 0; count++) {
    at += 2 + digits(count);
    at += array.readInt32LE(at);
  }
  return count;
}

/** Length of an array element's name, which is its index. */
function digits(index: number): number {
  let length = 1;
  for (let rest = index; rest >= 10; rest = Math.floor(rest / 10)) length++;
  return length;
}

/** Collects documents into one batch. */
export class BatchWriter {
  readonly #documents: Buffer[] = [];
  #bytes = EMPTY_BYTES;

  get count(): number {
    return this.#documents.length;
  }

  /** Size of the array so far, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(document: Buffer): void {
    this.#bytes += 2 + digits(this.#documents.length) + document.length;
    this.#documents.push(document);
  }

  /** The BSON array of what was added. */
  finish(): Buffer {
    const array = Buffer.allocUnsafe(this.#bytes);
    array.writeInt32LE(this.#bytes, 0);
    let at = 4;
    for (const [index, document] of this.#documents.entries()) {
      array[at] = Type.object;
      at = writeName(array, at + 1, index);
      at += document.copy(array, at);
    }
    array[at] = 0;
    return array;
  }
}

/** Writes an index as the C string that names an array element; returns where it ends. */
function writeName(array: Buffer, at: number, index: number): number {
  const end = at + digits(index);
  let rest = index;
  for (let i = end - 1; i >= at; i--) {
    array[i] = DIGIT_0 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  array[end] = 0;
  return end + 1;
}

/** What a cursor command's reply holds. */
export interface CursorReply {
  /** 8 bytes, little endian; all 0 for an exhausted cursor. */
  id: Buffer;
  ns: RawValue;
  /** The BSON array of `firstBatch` or `nextBatch`. */
  batch: Buffer;
}

/** The cursor in a reply, `undefined` where it has none. */
export function cursorIn(reply: Buffer): CursorReply | undefined {
  const cursor = field(reply, 'cursor');
  if (cursor?.type !== Type.object) return undefined;
  const id = field(cursor.bytes, 'id');
  const ns = field(cursor.bytes, 'ns');
  const batch = field(cursor.bytes, 'firstBatch') ?? field(cursor.bytes, 'nextBatch');
  return id?.type === Type.long && ns && batch ? { id: id.bytes, ns, batch: batch.bytes } : undefined;
}

/** The id of a cursor that holds nothing any more. */
export const EXHAUSTED: Buffer = Buffer.alloc(8);

/** `ok: 1.0` and the end of a document, as bytes. */
const OK_AND_END = encode({ ok: new Double(1) }).subarray(4);

/**
 * The reply of a cursor command: `{ cursor: { firstBatch, id, ns }, ok: 1 }`. A batch may be as large as a message, so it is copied once.
 */
export function cursorReply(name: 'firstBatch' | 'nextBatch', { id, ns, batch }: CursorReply): Buffer {
  const head = Buffer.from(`\0\0\0\0\x03cursor\0\0\0\0\0\x04${name}\0`, 'latin1');
  const parts = [
    head,
    batch,
    Buffer.from('\x12id\0', 'latin1'),
    id,
    Buffer.from('\x02ns\0', 'latin1'),
    ns.bytes,
    Buffer.of(0),
    OK_AND_END,
  ];
  const reply = Buffer.concat(parts);
  reply.writeInt32LE(reply.length, 0);
  reply.writeInt32LE(reply.length - CURSOR_AT - OK_AND_END.length, CURSOR_AT);
  return reply;
}

/** The BSON array of no documents. */
export const EMPTY_BATCH: Buffer = new BatchWriter().finish();
