import { type MongoClient, MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { ExistingCluster, UnreachableError } from './cluster.ts';
import { targetOf } from './target.ts';

const target = targetOf('mongodb://ann:pa55phrase@db.example.com');
const shards = ['a', 'b'].map((_id) => ({ _id, host: `${_id}/db.example.com:1` }));

/** Of a client whose every aggregation ends like this. */
function clusterAnswering(toArray: () => Promise<unknown[]>): ExistingCluster {
  const client = { db: () => ({ collection: () => ({ aggregate: () => ({ toArray }) }) }) };
  return new ExistingCluster(
    target,
    client as unknown as MongoClient,
    { version: '8.0.4', gitVersion: 'f00d' },
    shards,
  );
}
const refusing = (code: number) => async () => {
  throw new MongoServerError({ code, errmsg: 'not authorized on shardlab_0 with pa55phrase' });
};

it('a user who may not look at indexes is told what is missing, without the password', async () => {
  const checked = clusterAnswering(refusing(13)).checkSight();
  await expect(checked).rejects.toThrow(
    new UnreachableError(
      'the user needs the right to run $indexStats, as in the role clusterMonitor: not authorized on shardlab_0 with <secret>',
    ),
  );
});

it('that there is no such collection is no refusal', async () => {
  for (const answer of [async () => [], refusing(26)]) await clusterAnswering(answer).checkSight();
});
