/** The site that the browser tests look at: results of three servers, some by hand and some that are kept. */
import { readFileSync } from 'node:fs';
import type { JsonObject, ResultRecord, StepRecord, VerdictRecord } from '../../../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../../record.fixture.ts';
import type { ResultSet, Verdict } from '../../sets.ts';
import { stateRecord } from '../../state.fixture.ts';
import { HOSTILE, hostileRecord } from '../hostile.fixture.ts';

const KEPT = new URL('../../results/9.0.0-alpha0-embedded/', import.meta.url);
const kept = ['01-unique-non-prefix', '29-shard-key-index-hidden', '48-one-value-chunk'].map(
  (name): ResultRecord => JSON.parse(readFileSync(new URL(`${name}.json`, KEPT), 'utf8')),
);

/** Where its pages are. */
export const PAGES = {
  index: 'index.html',
  matrix: 'matrix.html',
  states: '9.0.0-alpha0-embedded/102-states.html',
  hostile: '9.0.0-alpha0-embedded/103-hostile.html',
  kept: '9.0.0-alpha0-embedded/01-unique-non-prefix.html',
} as const;

/** What 8.0.4 says of the unique index, in other words than 7.0.14. */
export const NEW_WORDS = 'no index like this <b>one</b>';

export function siteSets(): ResultSet[] {
  const embedded = [...kept, named(101, 'example', modelledRecord), named(102, 'states', stateRecord)];
  const hostile = { ...named(103, 'hostile', hostileRecord), verdicts: [said('K10', 'holds', 4, HOSTILE)] };
  return [
    { name: '7.0.14', records: [real('7.0.14', 'holds', 'no index like that')] },
    { name: '8.0.4', records: [real('8.0.4', 'fails', NEW_WORDS)] },
    { name: '9.0.0-alpha0-embedded', records: [...embedded, hostile] },
  ];
}

function named(number: number, name: string, record: ResultRecord): ResultRecord {
  const claims = record.experiment.claims.map((claim) => claim.split(' ')[0] ?? '');
  return { ...record, experiment: { ...record.experiment, number, name, claims } };
}

/** A server on which G1 comes out one way, and U2 and K10 always the same. */
function real(version: string, g1: Verdict, errmsg: string): ResultRecord {
  const reply = { ok: 0, code: 67, codeName: 'CannotCreateIndex', errmsg };
  return {
    ...named(101, 'example', realRecord),
    environment: { ...realRecord.environment, version },
    ended: { how: 'completed' },
    steps: modelledRecord.steps.map((step) => (step.number === 1 ? answered(step, reply) : step)),
    verdicts: [said('G1', g1, 1), said('U2', 'holds', 2), said('K10', 'holds', 3)],
  };
}

function answered(step: StepRecord, reply: JsonObject): StepRecord {
  return { ...step, exchanges: step.exchanges.map((one) => ({ ...one, reply, answeredBy: 'server' })) };
}

function said(claim: string, verdict: Verdict, step: number, reason = `step ${step} says so`): VerdictRecord {
  return { claim, verdict, reason, steps: [step], recordings: [] };
}
