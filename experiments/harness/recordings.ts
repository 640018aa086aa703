/** Links from predictions and verdicts to the recordings of real clusters. */
import { type RecordedStep, type Recording, recordings } from '../../cluster/embedded/conformance/recordings.ts';
import { meets, winnersOf } from './outcome.ts';
import type { Observed, Outcome, RecordingLink } from './record.ts';

let loaded: readonly Recording[] | undefined;

/**
 * The release lines that were recorded, oldest first.
 * @param scenario only those whose recording has it
 */
export function recordedVersions(scenario?: string): readonly string[] {
  const having = all().filter(({ scenarios }) => scenario === undefined || scenarios[scenario]);
  return having.map(({ line }) => line);
}

/**
 * Finds a step of a scenario, the versions whose recording shows the outcome there, and those whose recording does not.
 * @param link `<scenario>#<step>`, steps counted from 0
 * @throws Error when no recording has it
 */
export function linkTo(link: string, outcome: Outcome): RecordingLink {
  const [scenario = '', number] = link.split('#');
  const step = Number(number);
  const found = all().flatMap(({ line, scenarios }) => {
    const recorded = scenarios[scenario]?.[step];
    return recorded ? [{ line, seen: seenIn(recorded) }] : [];
  });
  if (found.length === 0) throw new Error(`no recording has ${link}: see cluster/embedded/conformance`);
  const lines = (met: boolean) => found.filter(({ seen }) => meets(outcome, seen) === met).map(({ line }) => line);
  const otherwise = lines(false);
  return { scenario, step, versions: lines(true), ...(otherwise.length > 0 && { otherwise }) };
}

function all(): readonly Recording[] {
  loaded ??= recordings();
  return loaded;
}

/** A recorded answer in the words of a record. */
function seenIn({ step, answer }: RecordedStep): Observed {
  if ('error' in answer) return refused(answer.error.code);
  const { reply } = answer;
  if (Array.isArray(reply)) return { ok: true, documents: reply.length, counts: reply };
  if (isRace(reply)) return raced(reply, step.times ?? 1);
  const { writeErrors, modifiedCount, deletedCount } = (reply ?? {}) as RecordedWrite;
  if (writeErrors) return refused(writeErrors[0]?.code);
  const documents = modifiedCount ?? deletedCount ?? reply;
  return typeof documents === 'number' ? { ok: true, documents } : { ok: true };
}

/** What a driver's call returned, or a write command. */
interface RecordedWrite {
  readonly writeErrors?: readonly { readonly code: number }[];
  readonly modifiedCount?: number;
  readonly deletedCount?: number;
}

/** What the recorder wrote of a race. */
interface RecordedRace {
  readonly succeeded: number;
  readonly codes: readonly number[];
}

function isRace(reply: unknown): reply is RecordedRace {
  return typeof reply === 'object' && reply !== null && 'succeeded' in reply;
}

function raced({ succeeded, codes }: RecordedRace, clients: number): Observed {
  return { ok: succeeded > 0, race: { clients, winners: winnersOf(succeeded), codes, answeredBy: ['server'] } };
}

function refused(code: number | undefined): Observed {
  return { ok: false, ...(code !== undefined && { code }) };
}
