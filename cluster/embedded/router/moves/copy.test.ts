import { Long } from 'bson';
import { expect, test } from 'vitest';
import { encode } from '../../wire/bson.ts';
import { type Peer, PeerError } from '../../wire/client.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import { copyRange } from './copy.ts';
import type { ShardCollection } from './shard-range.ts';

test('a donor that dies while a batch is written: the copy fails only when the recipient is done with that batch', async () => {
  let written = false;
  const recipient = {
    send: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      written = true;
      return encode({ n: 1, ok: 1 });
    },
  } as unknown as Peer;
  const donor = { send: () => Promise.reject(new PeerError('donor:1', new Error('gone'))) } as unknown as Peer;
  const from = { peer: donor, namespace: splitNamespace('d.c') } as ShardCollection;
  const next = encode({ getMore: Long.fromNumber(7), collection: 'c', $db: 'd' });
  await expect(copyRange(from, recipient, { documents: [encode({ _id: 1 })], next })).rejects.toThrow('donor:1: gone');
  expect(written).toBe(true);
});
