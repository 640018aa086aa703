/** A cluster that answers what a test says: three ports of this process behind the interface of a real one. */
import { Binary, type Document, Timestamp } from 'bson';
import { decodePlain, encode, splitDocuments } from '../../cluster/embedded/wire/bson.ts';
import type { Request } from '../../cluster/embedded/wire/message.ts';
import { serve } from '../../cluster/embedded/wire/server.ts';
import type { LabCluster } from './connections.ts';

/** The reply to one command, undefined for one that says nothing; `to` is `router` or a shard's name. */
export type Answer = (command: Document, to: string) => Document | undefined | Promise<Document | undefined>;

/** See the file's comment. */
export interface FakeCluster extends LabCluster, AsyncDisposable {
  /** Plays the death of a member. */
  readonly fail: (reason: Error) => void;
}

const HELLO = { isWritablePrimary: true, maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000 };
const WIRE = { maxWriteBatchSize: 100_000, minWireVersion: 0, maxWireVersion: 25, ok: 1 };

export async function fakeCluster(
  answer: Answer,
  known: { version?: string; modelled?: boolean } = {},
): Promise<FakeCluster> {
  const { version = '9.0.0-alpha0', modelled = true } = known;
  const members = await Promise.all(
    ['router', 'sh0', 'sh1'].map((name) => member(name, { version, modelled }, answer)),
  );
  const [router, ...shards] = members.map(({ name, port }) => ({
    name,
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
  }));
  const failure = new AbortController();
  return {
    uri: router?.uri ?? '',
    shards,
    version,
    distribution: { kind: modelled ? 'embedded' : 'system', version, gitVersion: 'f00d', modelled },
    failed: failure.signal,
    fail: (reason) => failure.abort(reason),
    [Symbol.asyncDispose]: async () => void (await Promise.all(members.map(({ server }) => server.close()))),
  };
}

async function member(name: string, { version, modelled }: { version: string; modelled: boolean }, answer: Answer) {
  const reply = async (request: Request): Promise<Buffer> => {
    const command = commandIn(request);
    if (command.hello || command.ismaster || command.isMaster) return encode(helloOf(name, modelled));
    if (command.find === 'system.version') return encode(compatibilityOf(version));
    return encode((await answer(command, name)) ?? nothingSaid(command));
  };
  const server = await serve({ host: '127.0.0.1', port: 0 }, reply, (_, error) => console.error(error));
  return { name, port: server.port, server };
}

/** Embedded shards have no sessions. Real ones each have a clock, which a cluster time that comes with a command sets forward. */
function helloOf(name: string, modelled: boolean): Document {
  const sessions = { logicalSessionTimeoutMinutes: 30 };
  if (name === 'router') return { ...HELLO, ...WIRE, ...sessions, msg: 'isdbgrid' };
  return { ...HELLO, ...WIRE, ...(modelled ? {} : { ...sessions, setName: name, $clusterTime: clusterTime(1) }) };
}

/** As servers without authentication say it. */
export function clusterTime(t: number): Document {
  return { clusterTime: new Timestamp({ t, i: 1 }), signature: { hash: new Binary(Buffer.alloc(20)), keyId: 0n } };
}

function compatibilityOf(version: string): Document {
  const document = { _id: 'featureCompatibilityVersion', version: version.split('.', 2).join('.') };
  return { cursor: { id: 0n, ns: 'admin.system.version', firstBatch: [document] }, ok: 1 };
}

function nothingSaid(command: Document): Document {
  const firstBatch = command.aggregate ? [{ _id: 1, n: 0 }] : [];
  const isRead = ['find', 'aggregate', 'listCollections', 'listIndexes'].some((read) => read in command);
  if (isRead) return { cursor: { id: 0n, ns: 'a.b', firstBatch }, ok: 1 };
  return command.update || command.delete ? { n: 1, nModified: 1, ok: 1 } : { ok: 1 };
}

function commandIn({ body, sequences }: Request): Document {
  const parts = sequences.map(({ name, bytes }) => [name, splitDocuments(bytes).map(decodePlain)]);
  return { ...decodePlain(body), ...Object.fromEntries(parts) };
}
