/** What the cells of the matrix open: the steps that bear on a claim, and each answer once with the servers that gave it. */
import type { ExperimentHead, ResultRecord, StepRecord, VerdictRecord } from '../../experiments/harness/record.ts';
import { occurrencesBefore } from '../differences.ts';
import { fileName, type ResultSet, verdictsOn } from '../sets.ts';
import { observedText } from '../words.ts';

/** What one experiment has to say of a claim. */
export interface Evidence {
  readonly experiment: ExperimentHead;
  /** On each server that has a record of it, in the order of the sets. */
  readonly said: readonly Said[];
  /** In the order of the experiment. */
  readonly steps: readonly EvidenceStep[];
}

/** A verdict and where it comes from. */
export interface Said {
  readonly set: ResultSet;
  readonly record: ResultRecord;
  readonly verdict: VerdictRecord;
}

/** A step; it is the same on all servers where its caption is, for numbers shift where a version has a step more. */
export interface EvidenceStep {
  readonly caption: string;
  readonly answers: readonly Answer[];
}

/** What was sent and seen in a step, the same on all of these servers. */
export interface Answer {
  readonly step: StepRecord;
  readonly from: readonly Answered[];
}

interface Answered {
  readonly set: ResultSet;
  readonly record: ResultRecord;
  readonly step: StepRecord;
}

/** What two answers must have in common to count as one. */
export type Sameness = (step: StepRecord) => string;

/** To the letter. */
export const everyWord: Sameness = ({ exchanges, observed }) => JSON.stringify([exchanges, observed]);

/** What came of it and who answered; the rest is told once, as the first of the servers put it. */
export const outcomeAlone: Sameness = ({ exchanges, observed }) =>
  JSON.stringify([observedText(observed), exchanges.map(({ answeredBy }) => answeredBy)]);

/** @param sets in the order of their columns */
export function evidenceOf(claim: string, sets: readonly ResultSet[], sameness: Sameness): Evidence[] {
  const said = sets.flatMap((set) => verdictsOn(set, claim).map(([record, verdict]) => ({ set, record, verdict })));
  const byExperiment = groups(said, ({ record }) => fileName(record.experiment));
  return byExperiment
    .map(([first, ...more]) => ({
      experiment: first.record.experiment,
      said: [first, ...more],
      steps: stepsOf([first, ...more], sameness),
    }))
    .toSorted((one, other) => one.experiment.number - other.experiment.number);
}

function stepsOf(said: readonly Said[], sameness: Sameness): EvidenceStep[] {
  const answered = said.flatMap(({ set, record, verdict }) =>
    record.steps.filter(({ number }) => verdict.steps.includes(number)).map((step) => ({ set, record, step })),
  );
  return groups(answered, ({ record, step }) => `${occurrencesBefore(step, record)} ${step.caption}`)
    .toSorted(([one], [other]) => one.step.number - other.step.number)
    .map((of) => ({ caption: of[0].step.caption, answers: answersOf(of, sameness) }));
}

function answersOf(answered: readonly Answered[], sameness: Sameness): Answer[] {
  return groups(answered, ({ step }) => sameness(step)).map((from) => ({ step: from[0].step, from }));
}

/** What has a key in common, where the first of it stood. */
function groups<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = found.get(keyOf(item));
    if (group) group.push(item);
    else found.set(keyOf(item), [item]);
  }
  return [...found.values()];
}
