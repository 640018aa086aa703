/** `distinct`: the shards' values as one set (src/mongo/s/commands/cluster_distinct_cmd.cpp). */
import { Double } from 'bson';
import { arrayOf, documentOf, elements, encode, field, type RawValue, rawValue, Type } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import type { AnsweredBy, Call, Reply, Router } from '../command.ts';
import { compareValues } from '../compare.ts';
import { accepted } from '../refused.ts';
import { cursorIn, EMPTY_BATCH } from './batch.ts';
import { passTo, routed } from './routed.ts';

export async function distinct(call: Call, router: Router): Promise<Reply> {
  return routed(call, router, 'query', async ({ shards }) => {
    const [first, second] = shards;
    if (first === undefined) return valuesReply({ type: Type.array, bytes: EMPTY_BATCH }, 'model');
    return second === undefined ? passTo(first, call, router) : distinctOn(shards, call, router);
  });
}

async function distinctOn(shards: readonly string[], call: Call, { catalog }: Router): Promise<Reply> {
  const replies = await Promise.all(shards.map((shard) => catalog.peer(shard).send(call.body)));
  const lists = replies.map((reply) => elements(field(accepted(reply), 'values')?.bytes ?? EMPTY_BATCH));
  const collation = field(call.body, 'collation');
  const peer = catalog.peer(shards[0] as string);
  return valuesReply(
    collation ? await mergeOn(peer, call.db, lists.flat(), collation) : mergeHere(lists.flat()),
    'engine',
  );
}

/** In the order of values, of equal ones (1 and 1.0) the first, as in the server's ordered set. */
function mergeHere(values: RawValue[]): RawValue {
  values.sort(compareValues); // stable
  return arrayOf(values.filter((value, i) => i === 0 || compareValues(values[i - 1] as RawValue, value) !== 0));
}

/** Only an engine knows which strings a collation holds equal. */
async function mergeOn(peer: Peer, db: string, values: readonly RawValue[], collation: RawValue): Promise<RawValue> {
  const documents = arrayOf(
    values.map((value) => ({ type: Type.object, bytes: documentOf([{ ...value, name: 'v' }]) })),
  );
  const literal = documentOf([{ name: '$literal', ...documents }]);
  const source = documentOf([{ name: '$documents', type: Type.object, bytes: literal }]);
  const rest = [{ $group: { _id: '$v' } }, { $sort: { _id: 1 } }, { $group: { _id: null, values: { $push: '$_id' } } }];
  const pipeline = arrayOf([{ type: Type.object, bytes: source }, ...rest.map((stage) => rawValue(stage))]);
  const command = [
    { name: 'aggregate', ...rawValue(1) },
    { name: 'pipeline', ...pipeline },
    { name: 'collation', ...collation },
    ...elements(encode({ cursor: {}, $db: db })),
  ];
  const batch = cursorIn(accepted(await peer.send(documentOf(command))))?.batch ?? EMPTY_BATCH;
  const [merged] = elements(batch);
  return (merged && field(merged.bytes, 'values')) ?? { type: Type.array, bytes: EMPTY_BATCH };
}

function valuesReply(values: RawValue, answeredBy: AnsweredBy): Reply {
  const body = documentOf([
    { name: 'values', ...values },
    { name: 'ok', ...rawValue(new Double(1)) },
  ]);
  return { body, answeredBy };
}
