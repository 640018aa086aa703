/** What the embedded cluster refuses to do, and what follows from that. */
import { NOT_MODELLED_CODE, notModelledText } from '../../not-modelled.ts';
import { EVERY_VERSION, type Exception, refuses, replies } from './entry.ts';

const TRANSACTIONS = {
  versions: EVERY_VERSION,
  evidence: ['cluster/embedded/router/data-command.ts'],
};

export const notModelled: readonly Exception[] = [
  {
    steps: [
      'transaction-same-id-on-two-shards#3',
      'transaction-same-id-on-two-shards#6',
      'transaction-same-id-on-two-shards#9',
    ],
    answer: replies([{ code: NOT_MODELLED_CODE }]),
    because: 'the first call of a transaction of several documents is refused',
    ...TRANSACTIONS,
  },
  {
    steps: ['transaction-same-id-on-two-shards#5', 'transaction-same-id-on-two-shards#8'],
    answer: replies([0, 0]),
    because: 'the transactions of steps 3 and 6 were refused whole',
    ...TRANSACTIONS,
  },
  {
    steps: ['shard-key-index-cannot-be-hidden#3', 'shard-key-index-cannot-be-hidden#5'],
    versions: ['4.9'],
    answer: refuses(NOT_MODELLED_CODE, notModelledText('collMod')),
    because: 'the engine has no `collMod`',
    evidence: ['cluster/embedded/not-modelled.ts'],
  },
];
