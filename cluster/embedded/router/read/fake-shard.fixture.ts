/** A shard that answers cursor commands from a list of documents and remembers what it was sent. */
import { type Document, Long } from 'bson';
import { decodePlain, encode, field, rawValue } from '../../wire/bson.ts';
import { type Peer, PeerError } from '../../wire/client.ts';
import { BatchWriter, cursorReply, EXHAUSTED } from './batch.ts';

const FIRST_BATCH = 101;
const CURSOR_ID = Buffer.from([7, 0, 0, 0, 0, 0, 0, 0]);

/** See the file's comment. */
export class FakeShard {
  readonly sent: Document[] = [];
  readonly #documents: Buffer[];
  /** Set to make every further command fail. */
  failure: 'refuse' | 'gone' | undefined;

  constructor(documents: readonly Document[]) {
    this.#documents = documents.map((document) => encode(document));
  }

  /** The shard as the router sees it. */
  get peer(): Peer {
    return { address: 'fake:1', send: (body: Buffer) => this.#answer(body), close: () => {} } as unknown as Peer;
  }

  /** The commands of one name. */
  all(name: string): Document[] {
    return this.sent.filter((command) => name in command);
  }

  async #answer(body: Buffer): Promise<Buffer> {
    const command = decodePlain(body);
    this.sent.push(command);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failure === 'gone') throw new PeerError('fake:1', new Error('connection closed'));
    if (this.failure === 'refuse') return encode({ ok: 0, errmsg: 'no', code: 2, codeName: 'BadValue' });
    if ('killCursors' in command) return encode({ ok: 1 });
    const name = 'getMore' in command ? 'nextBatch' : 'firstBatch';
    return this.#batch(
      name,
      Number(field(body, 'batchSize') ? command.batchSize : name === 'firstBatch' ? FIRST_BATCH : 1e9),
    );
  }

  #batch(name: 'firstBatch' | 'nextBatch', size: number): Buffer {
    const writer = new BatchWriter();
    for (const document of this.#documents.splice(0, size)) writer.add(document);
    const id = this.#documents.length > 0 ? CURSOR_ID : EXHAUSTED;
    return cursorReply(name, { id, ns: rawValue('d.c'), batch: writer.finish() });
  }
}

/** What a fake shard answers to the command that opens a cursor on it. */
export async function open({ peer }: FakeShard, batchSize?: number): Promise<Buffer> {
  return peer.send(encode({ find: 'c', ...(batchSize !== undefined && { batchSize }) }));
}

/** The id by which {@link FakeShard} knows its cursor. */
export const FAKE_CURSOR: Long = Long.fromBytesLE([...CURSOR_ID]);
