/** Splitting and moving. */
import { EVERY_VERSION, type Exception, refuses } from './entry.ts';

export const chunks: readonly Exception[] = [
  {
    steps: ['split-and-move-errors#7'],
    versions: EVERY_VERSION,
    answer: refuses(656452, 'no chunk found with the shard key bounds [{ uid: 0 }, { uid: 5 })'),
    because: 'the refusal, in the same words, has got a code',
    evidence: ['src/mongo/s/commands/cluster_move_chunk_cmd.cpp (9.0)'],
  },
];
