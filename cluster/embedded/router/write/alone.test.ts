import { expect, test } from 'vitest';
import { encode, firstName } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import type { Metadata } from '../catalog.ts';
import { routingTable } from '../routing.ts';
import { globalMax, globalMin, parseShardKey } from '../shard-key.ts';
import { runAlone } from './alone.ts';
import { Outcome } from './outcome.ts';
import type { Write } from './shards.ts';
import { parseUpdate, type Statement } from './statement.ts';

const key = encode({ k: 1 });
const fields = parseShardKey(key);
const chunks = [{ min: globalMin(fields), max: globalMax(fields), shard: 'sh0' }];
const table = routingTable({ ns: 'd.c', uuid: Buffer.alloc(16), keyPattern: key, unique: false, chunks });

/** Runs an update that changes shard keys, of which every trial is refused; returns what the shard was sent. */
async function refusedWith(code: number): Promise<{ sent: string[]; ending: unknown }> {
  const sent: string[] = [];
  const send = async (body: Buffer): Promise<Buffer> => {
    sent.push(firstName(body));
    return encode(firstName(body) === 'update' ? { n: 0, ok: 1 } : { ok: 0, code, errmsg: 'no' });
  };
  const catalog = { peer: () => ({ send }) as unknown as Peer } as unknown as Metadata;
  const command = { kind: 'update', db: 'd', collection: 'c', ns: 'd.c', ordered: true, statements: [], shared: [] };
  const write = { command, catalog, outcome: new Outcome(), size: 1, operation: 'update' } as unknown as Write;
  const statement = parseUpdate(encode({ q: {}, u: { $set: { k: 1 } }, multi: true })) as Statement;
  const ending = await runAlone(0, statement, table, write).catch((error) => error.name);
  return { sent, ending };
}

test.each([50, 237, 262, 11600, 11601])(
  'an update that is interrupted (%d) is not sent to a shard, which would change shard keys where the documents are',
  async (code) => {
    expect(await refusedWith(code)).toEqual({ sent: ['find'], ending: 'Refused' });
  },
);

test('one that a shard does not understand is refused in the words of an update', async () => {
  expect(await refusedWith(2)).toEqual({ sent: ['find', 'update'], ending: undefined });
});
