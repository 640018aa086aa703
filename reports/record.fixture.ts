/** A hand-written record with everything that a page can show. */
import type { ResultRecord } from '../experiments/harness/record.ts';

const chunks = [{ min: { uid: { $minKey: 1 } }, max: { uid: { $maxKey: 1 } }, shard: 'sh0' }];
const placed = (count: number) => ({
  collection: 'u',
  key: { uid: 1 },
  unique: false,
  chunks,
  documents: [
    { shard: 'sh0', count },
    { shard: 'sh1', count: 0 },
  ],
});

export const modelledRecord: ResultRecord = {
  format: 1,
  experiment: {
    number: 7,
    name: 'an-example',
    title: 'An example',
    question: 'Does it work?',
    claims: ['G1', 'U2', 'K10'],
    sources: ['https://example.com/manual', 'a file of the server'],
  },
  environment: {
    version: '9.0.0-alpha0',
    gitVersion: 'f00d',
    distribution: 'embedded',
    shards: ['sh0', 'sh1'],
    model: { writtenFrom: '9.0', recordings: ['4.2', '4.4'] },
  },
  ended: { how: 'completed' },
  steps: [
    {
      number: 1,
      section: 'story',
      caption: 'A unique index.',
      exchanges: [
        {
          to: 'router',
          database: '<database>',
          command: { createIndexes: 'u' },
          reply: { ok: 0, code: 67 },
          answeredBy: 'model',
        },
      ],
      observed: { ok: false, code: 67, codeName: 'CannotCreateIndex' },
      check: {
        expected: { code: 67 },
        result: 'ok',
        claims: ['G1'],
        shown: true,
        recording: { scenario: 'unique-on-non-shard-key', step: 3, versions: ['4.2', '4.4'] },
      },
    },
    {
      number: 2,
      section: 'story',
      caption: 'Ten at once.',
      exchanges: [],
      observed: {
        ok: true,
        race: { clients: 10, winners: 'exactly one', codes: [11000], answeredBy: ['engine'] },
      },
      check: { expected: { winners: 'exactly one', code: 11000 }, result: 'ok', claims: ['U2'], shown: true },
    },
    {
      number: 3,
      section: 'story',
      caption: 'A command that nobody answers.',
      exchanges: [
        {
          to: 'sh1',
          database: 'admin',
          command: { ping: 1 },
          reply: null,
          failure: 'connection closed',
          answeredBy: 'nobody',
        },
      ],
      observed: { ok: false, error: 'MongoNetworkError: connection closed' },
      check: { expected: { ok: true }, source: 'a guess', result: 'differs', claims: ['K10'], shown: false },
    },
    {
      number: 4,
      section: 'instead',
      caption: 'Counted.',
      exchanges: [
        { to: 'sh0', database: '<database>', command: { count: 'u' }, reply: { n: 2, ok: 1 }, answeredBy: 'engine' },
      ],
      observed: { ok: true, counts: [2, 0] },
      check: { expected: null, result: 'no prediction', claims: [], shown: true },
    },
  ],
  placement: { before: [placed(0)], after: [placed(2)] },
  verdicts: [
    {
      claim: 'G1',
      verdict: 'modelled',
      reason: 'our model of the sharding layer decides it here',
      steps: [1],
      recordings: [{ scenario: 'unique-on-non-shard-key', step: 3, versions: ['4.2', '4.4'], of: 1 }],
    },
    { claim: 'U2', verdict: 'holds', reason: 'step 2, answered by a real engine', steps: [2], recordings: [] },
    { claim: 'K10', verdict: 'fails', reason: 'step 3 shows something else', steps: [3], recordings: [] },
  ],
};

/** The same experiment on real servers, broken off. */
export const realRecord: ResultRecord = {
  ...modelledRecord,
  environment: { version: '8.0.4', gitVersion: 'beef', distribution: 'real MongoDB', shards: ['sh0', 'sh1'] },
  ended: { how: 'deadline', seconds: 60 },
  steps: [],
  placement: { before: [], after: [] },
  verdicts: [
    { claim: 'G1', verdict: 'holds', reason: 'step 1, answered by a server', steps: [1], recordings: [] },
    { claim: 'U2', verdict: 'skipped', reason: 'it needs MongoDB >=6 || <5', steps: [], recordings: [] },
    { claim: 'K10', verdict: 'skipped', reason: 'no step tested it', steps: [], recordings: [] },
  ],
};
