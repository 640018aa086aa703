/** Writes that are larger than the engine takes at once: cut into several, their replies joined into the one a server would give. */
import { type Document, Long } from 'bson';
import { CommandError } from '../router/command.ts';
import { decode, encode, field, firstName, splitDocuments, truthy } from '../wire/bson.ts';
import type { DocumentSequence } from '../wire/message.ts';

/** The engine puts a command and its sequences into one document of at most this many bytes (33,619,968), some of it its own. */
const ENGINE_LIMIT_BYTES = 33_600_000;
/** `maxWriteBatchSize` of `hello`. */
const MAX_BATCH = 100_000;
/** What an array element takes beside its document, at most: type, index, NUL. */
const ELEMENT_BYTES = 8;

/** The sequence that a write command repeats, by the command's name. */
const REPEATED: Readonly<Record<string, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
  bulkWrite: 'ops',
};

type Run = (body: Buffer, sequences: readonly DocumentSequence[]) => Promise<Buffer>;

/** Runs a command in as many parts as its size asks for, usually one. */
export async function runInParts(body: Buffer, sequences: readonly DocumentSequence[], run: Run): Promise<Buffer> {
  const bytes = sequences.reduce((sum, sequence) => sum + sequence.bytes.length, body.length);
  const repeated = sequences.find(({ name }) => name === REPEATED[firstName(body)]);
  if (!repeated || bytes + MAX_BATCH * ELEMENT_BYTES <= ENGINE_LIMIT_BYTES) return run(body, sequences);
  const parts = cut(repeated, ENGINE_LIMIT_BYTES - (bytes - repeated.bytes.length));
  const others = sequences.filter((sequence) => sequence !== repeated);
  const send: Run = (partBody, part) => run(partBody, [...others, ...part]);
  return firstName(body) === 'bulkWrite' ? runBulkWrite(body, parts, send, run) : runBatches(body, parts, send);
}

/** A run of documents out of a sequence. */
interface Part {
  sequence: DocumentSequence;
  /** Documents before it. */
  offset: number;
}

/** @throws CommandError when there are more documents than a server accepts in one command */
function cut({ name, bytes }: DocumentSequence, limit: number): Part[] {
  const documents = splitDocuments(bytes);
  if (documents.length > MAX_BATCH) {
    throw new CommandError(
      16,
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${documents.length} operations.`,
    );
  }
  const parts: Part[] = [];
  let start = 0;
  let from = 0;
  let size = 0;
  let at = 0;
  documents.forEach((document, i) => {
    if (size + document.length + ELEMENT_BYTES > limit && i > start) {
      parts.push({ sequence: { name, bytes: bytes.subarray(from, at) }, offset: start });
      start = i;
      from = at;
      size = 0;
    }
    size += document.length + ELEMENT_BYTES;
    at += document.length;
  });
  parts.push({ sequence: { name, bytes: bytes.subarray(from) }, offset: start });
  return parts;
}

async function runBatches(body: Buffer, parts: readonly Part[], send: Run): Promise<Buffer> {
  const ordered = isOrdered(body);
  const joined: Document = { n: 0 };
  for (const { sequence, offset } of parts) {
    const bytes = await send(body, [sequence]);
    const reply = decode(bytes);
    if (Number(reply.ok) !== 1) return bytes;
    join(joined, reply, offset);
    if (ordered && reply.writeErrors) break;
  }
  return encode({ ...joined, ok: 1 });
}

function isOrdered(body: Buffer): boolean {
  const ordered = field(body, 'ordered');
  return !ordered || truthy(ordered);
}

/** Adds one part's counts and lists to those of the parts before it. */
function join(joined: Document, reply: Document, offset: number): void {
  joined.n += Number(reply.n);
  if (reply.nModified !== undefined) joined.nModified = (joined.nModified ?? 0) + Number(reply.nModified);
  for (const list of ['upserted', 'writeErrors']) {
    const moved = (reply[list] as Document[] | undefined)?.map((entry) => ({
      ...entry,
      index: Number(entry.index) + offset,
    }));
    if (moved) joined[list] = [...(joined[list] ?? []), ...moved];
  }
  if (reply.writeConcernError) joined.writeConcernError = reply.writeConcernError;
}

const BULK_COUNTS = ['nErrors', 'nInserted', 'nMatched', 'nModified', 'nUpserted', 'nDeleted'] as const;

/** `bulkWrite` answers with a cursor over its results: those of every part are read to the end and given in one batch. */
async function runBulkWrite(body: Buffer, parts: readonly Part[], send: Run, run: Run): Promise<Buffer> {
  const ordered = isOrdered(body);
  const counts: Record<string, number> = {};
  const results: Document[] = [];
  for (const { sequence, offset } of parts) {
    const bytes = await send(body, [sequence]);
    const reply = decode(bytes);
    if (Number(reply.ok) !== 1) return bytes;
    for (const name of BULK_COUNTS) counts[name] = (counts[name] ?? 0) + Number(reply[name]);
    const found = await readAll(reply.cursor, run);
    results.push(...found.map((result) => ({ ...result, idx: Number(result.idx) + offset })));
    if (ordered && Number(reply.nErrors) > 0) break;
  }
  return encode({ cursor: { id: Long.ZERO, firstBatch: results, ns: 'admin.$cmd.bulkWrite' }, ...counts, ok: 1 });
}

async function readAll(cursor: Document, run: Run): Promise<Document[]> {
  const found: Document[] = [...cursor.firstBatch];
  for (let id = cursor.id as Long; !id.isZero(); ) {
    const reply = decode(await run(encode({ getMore: id, collection: '$cmd.bulkWrite', $db: 'admin' }), []));
    if (Number(reply.ok) !== 1) throw new CommandError(Number(reply.code), reply.errmsg);
    found.push(...reply.cursor.nextBatch);
    id = reply.cursor.id;
  }
  return found;
}
