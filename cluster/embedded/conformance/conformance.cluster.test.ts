import { EJSON } from 'bson';
import { MongoClient, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../index.ts';
import { type Comparison, compare, tally } from './compare.ts';
import { known } from './exceptions/index.ts';
import { malformed } from './malformed.ts';
import { recordings } from './recordings.ts';
import { type Answers, replay } from './replay.ts';
import { scenarios } from './scenarios.ts';

let cluster: Cluster;
let answers: Answers;

beforeAll(async () => {
  cluster = await startCluster({ mongodb: 'embedded' });
  answers = await replay(cluster);
});

afterAll(() => cluster?.stop());

it.each(recordings())('the embedded cluster answers as MongoDB $line did, but for what is listed', (recording) => {
  const comparison = compare(recording, answers, known, scenarios);
  console.info(summary(comparison));
  const differing = comparison.steps.filter(({ verdict }) => verdict === 'differs');
  expect({ differing, unneeded: comparison.unneeded }).toEqual({ differing: [], unneeded: [] });
});

// `npx vitest run cluster/embedded/conformance -u` takes new answers down, `npm run report` makes the page of them.
it('the answers that reports/conformance.md shows are these', async () => {
  const kept = `${JSON.stringify({ version: cluster.version, scenarios: answers }, null, 1)}\n`;
  await expect(kept).toMatchFileSnapshot('./embedded.json');
});

describe('what a parser refuses', () => {
  let clients: MongoClient[];

  beforeAll(async () => {
    clients = [cluster.uri, ...cluster.shards.map(({ uri }) => uri)].map((uri) => new MongoClient(uri));
    await cluster.client.db('admin').command({ shardCollection: 'words.c', key: { a: 1 } });
  });

  afterAll(() => Promise.all(clients.map((client) => client.close())));

  it.each(malformed)('%o is refused in the words of the engine', async (command) => {
    const [router, shard] = clients as [MongoClient, MongoClient];
    expect(await refusal(router, command)).toEqual(await refusal(shard, command));
  });

  async function refusal(client: MongoClient, command: object): Promise<object> {
    const reply = await client
      .db('words')
      .command(command)
      .catch((error: unknown) => error);
    if (reply instanceof MongoServerError) return { code: reply.code, message: inOrder(reply.message) };
    const failed = (reply as { writeErrors?: object[] }).writeErrors;
    if (!failed) throw new Error(`it is accepted: ${EJSON.stringify(command)}`);
    return failed;
  }

  /** A server lists types in an order of its own for each command. */
  function inOrder(message: string): string {
    return message.replace(/(?<=expected types '\[).*(?=\]')/, (types) => types.split(', ').sort().join(', '));
  }
});

function summary(comparison: Comparison): string {
  const { agrees, reworded, version, 'not modelled': notModelled, differs } = tally(comparison);
  const { steps, recording } = comparison;
  const excepted = `${version} are excepted for the version and ${notModelled} as not modelled`;
  return `Conformance with MongoDB ${recording.line}: of ${steps.length} steps ${agrees} agree (${reworded} in other words), ${excepted}, ${differs} differ`;
}
