/** What differs between servers in what bears on a claim, and since when: a pure function of their records. */
import type { Json, ResultRecord, StepRecord, VerdictRecord } from '../experiments/harness/record.ts';
import { fileName, type ResultSet, verdictsOn } from './sets.ts';
import { observedText } from './words.ts';

/** Something that servers were seen to do differently. */
export interface Difference {
  /** `01-unique-non-prefix` */
  readonly experiment: string;
  /** Undefined where it is the verdict of the whole experiment. */
  readonly step?: Pick<StepRecord, 'number' | 'caption'>;
  /** `text` where outcomes are the same and error messages alone differ. */
  readonly kind: 'outcome' | 'text';
  /** At least two, in the order of the sets. */
  readonly stretches: readonly Stretch[];
}

/** Servers next to each other on which the same was seen. */
export interface Stretch extends Seen {
  /** Names of the sets, in their order. */
  readonly servers: readonly string[];
}

interface Seen {
  /** A verdict, an error code, a number of documents … */
  readonly outcome: string;
  /** Error messages in full. */
  readonly text: string;
  /** Said of the first of a stretch, and not compared. */
  readonly note?: string;
}

interface Answered {
  readonly server: string;
  readonly record: ResultRecord;
}

/**
 * Where an experiment has no record on a server, or was over before a step, that server is left out there.
 * @param sets of real servers, oldest version first
 * @returns differing outcomes first, then differing texts
 */
export function differencesOf(claim: string, sets: readonly ResultSet[]): Difference[] {
  const answered = sets.flatMap((set) => verdictsOn(set, claim).map(([record]) => ({ server: set.name, record })));
  const experiments = [...new Set(answered.map(({ record }) => fileName(record.experiment)))];
  const all = experiments.flatMap((experiment) => {
    const of = answered.filter(({ record }) => fileName(record.experiment) === experiment);
    return [verdictDifference(claim, of), ...stepDifferences(claim, of)].map((one) => ({ experiment, ...one }));
  });
  const differing = all.filter(({ stretches }) => stretches.length > 1);
  return differing.toSorted((one, other) => one.kind.localeCompare(other.kind));
}

type Compared = Omit<Difference, 'experiment'>;

function verdictDifference(claim: string, answered: readonly Answered[]): Compared {
  return compared(answered, (record) => {
    const found = record.verdicts.find((one) => one.claim === claim);
    if (!found || !isDecided(record, found)) return undefined;
    return { outcome: found.verdict, text: '', ...(found.verdict === 'skipped' && { note: found.reason }) };
  });
}

/** An experiment that was broken off says nothing of the version that it broke on, unless it had seen a claim fail by then. */
export function isDecided({ ended }: ResultRecord, { verdict }: VerdictRecord): boolean {
  return verdict !== 'skipped' || ended.how === 'completed' || ended.how === 'skipped';
}

function stepDifferences(claim: string, answered: readonly Answered[]): Compared[] {
  const evidence = new Map<string, [StepRecord, number]>();
  for (const { record } of answered) {
    for (const step of record.steps.filter(({ check }) => check?.claims.includes(claim))) {
      const before = occurrencesBefore(step, record);
      evidence.set(`${before} ${step.caption}`, [step, before]);
    }
  }
  const inOrder = [...evidence.values()].toSorted(([one], [other]) => one.number - other.number);
  return inOrder.map(([step, before]) => {
    const { number, caption } = step;
    return { step: { number, caption }, ...compared(answered, (record) => seenIn(record, caption, before)) };
  });
}

/** Steps are known by their captions, some of which occur more than once: numbers shift where a version has a step more. */
function occurrencesBefore({ caption, number }: StepRecord, { steps }: ResultRecord): number {
  return steps.filter((step) => step.caption === caption && step.number < number).length;
}

function seenIn({ steps, ended }: ResultRecord, caption: string, before: number): Seen | undefined {
  const step = steps.filter((one) => one.caption === caption)[before];
  if (!step) return ended.how === 'completed' ? { outcome: 'no such step', text: '' } : undefined;
  const { error = '', ...observed } = step.observed;
  return { outcome: observedText(observed), text: error || messagesOf(step) };
}

/** Every error message in the replies, each once. */
function messagesOf({ exchanges }: StepRecord): string {
  return [...new Set(exchanges.flatMap(({ reply }) => messagesIn(reply)))].join(' / ');
}

function messagesIn(value: Json): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]: [string, Json]) =>
    name === 'errmsg' && typeof inner === 'string' ? [inner] : messagesIn(inner),
  );
}

function compared(
  answered: readonly Answered[],
  see: (record: ResultRecord) => Seen | undefined,
): Pick<Difference, 'kind' | 'stretches'> {
  const stretches: Stretch[] = [];
  for (const { server, record } of answered) {
    const seen = see(record);
    const last = stretches.at(-1);
    if (!seen) continue;
    if (last?.outcome !== seen.outcome || last.text !== seen.text) stretches.push({ servers: [server], ...seen });
    else stretches.splice(-1, 1, { ...last, servers: [...last.servers, server] });
  }
  return { kind: new Set(stretches.map(({ outcome }) => outcome)).size > 1 ? 'outcome' : 'text', stretches };
}
