/** Everything in which the embedded cluster is known to differ from the recordings. */
import type { Known } from '../compare.ts';
import { chunks } from './chunks.ts';
import { indexes } from './indexes.ts';
import { notModelled } from './not-modelled.ts';
import { refining } from './refining.ts';
import { rewordings } from './rewordings.ts';
import { writeErrors } from './write-errors.ts';
import { missingKeys, upserts } from './writes.ts';

export const known: Known = {
  version: [...writeErrors, ...indexes, ...missingKeys, ...upserts, ...refining, ...chunks],
  notModelled,
  rewordings,
};
