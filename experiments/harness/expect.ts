/** Predictions, and what is seen held against them. */
import { inspect } from 'node:util';
import { satisfies, validRange } from 'semver';
import { serverVersion } from '../../cluster/distributions/version.ts';
import { type ClaimId, isClaim } from './claims.ts';
import { isOutcome, meets, refuseUnseen } from './outcome.ts';
import type { Check, Observed, Outcome } from './record.ts';
import { linkTo } from './recordings.ts';

/** A prediction of what this server version does. It decides the exit code and never changes what is recorded. */
export type Expectation = Evidence & (Outcome | ByVersion);

/** What a prediction rests on and what it is good for. */
interface Evidence {
  /** Where it is known from, if not from the experiment's sources: a manual page, a ticket, a file of the server's source. */
  readonly source?: string;
  /** The claims that the step is evidence for. */
  readonly claims?: readonly ClaimId[];
  /** The step of a recording of real clusters that corresponds to this one: `<scenario>#<step>`, steps counted from 0. */
  readonly recording?: string;
}

/**
 * Short for expectations that a scenario of cluster/embedded/conformance has recorded.
 * @returns a function of the scenario's step, its outcome, and the claims it is evidence for
 */
export function recordedIn(scenario: string) {
  return (step: number, outcome: Outcome | ByVersion, ...claims: ClaimId[]): Expectation => ({
    ...outcome,
    claims,
    recording: `${scenario}#${step}`,
  });
}

/** A prediction that depends on the server. */
export interface ByVersion {
  /** What each range of versions does; the first range that fits is taken. */
  readonly versions: Readonly<Record<string, Outcome>>;
  /** What the claims state, whatever the version does. Default what is predicted, for claims that name versions themselves. */
  readonly states?: Outcome;
}

/**
 * Holds what was seen against what was expected.
 * @param version the server's
 * @throws Error when the expectation predicts nothing that can be seen in such a step, or what it names does not exist: a claim, a
 * recording, a range of versions
 */
export function judge(expectation: Expectation, observed: Observed, version: string): Check {
  const fault = faultIn(expectation);
  if (fault) throw new Error(fault);
  const expected = 'versions' in expectation ? forVersion(expectation, version) : outcomeIn(expectation);
  refuseUnseen(expected, observed);
  const states = 'versions' in expectation ? (expectation.states ?? expected) : outcomeIn(expectation);
  return {
    expected,
    ...(expectation.source && { source: expectation.source }),
    result: resultOf(expected, observed),
    claims: expectation.claims ?? [],
    shown: states !== null && meets(states, observed),
    ...(expectation.recording && states && { recording: linkTo(expectation.recording, states) }),
  };
}

/** The code name that the embedded distribution answers with for what it does not model. */
const NOT_MODELLED = 'ShardlabNotModelled';

/** Whether it depends on how many documents a step returned or counted. */
export function asksForDocuments(expectation: Expectation): boolean {
  return outcomesOf(expectation).some((outcome) => 'documents' in outcome);
}

/** Whether the answer was that the embedded distribution does not model this. */
export function isNotModelled(observed: Observed): boolean {
  return observed.codeName === NOT_MODELLED;
}

function outcomesOf(expectation: Expectation): Outcome[] {
  if (typeof expectation !== 'object' || !('versions' in expectation)) return [outcomeIn(expectation)];
  const { versions, states } = expectation;
  return [...Object.values(versions), ...(states ? [states] : [])];
}

/** Nobody checks the types of a user's file, and a typing error must not pass for a prediction that is met. */
function faultIn(expectation: Expectation): string | undefined {
  if (typeof expectation !== 'object' || expectation === null) return noPrediction(expectation);
  const { claims = [] } = expectation;
  const unknown = claims.find((claim) => !isClaim(claim));
  if (unknown) return `claim ${inspect(unknown)} is not known; experiments/harness/claims.ts lists them`;
  const ranges = 'versions' in expectation ? Object.keys(expectation.versions) : [];
  const noRange = ranges.find((range) => validRange(range) === null);
  if (noRange !== undefined) return `${inspect(noRange)} is no range of versions like '>=6.0.0'`;
  const wrong = outcomesOf(expectation).find((outcome) => !isOutcome(outcome));
  return wrong && noPrediction(wrong);
}

function noPrediction(given: unknown): string {
  return `${inspect(given)} is no prediction; one is { ok: true }, { code: 11000 }, { documents: 2 }, { counts: [1, 1] }, { scan: 'email_1' } or { winners: 'exactly one' }`;
}

function resultOf(expected: Outcome | null, observed: Observed): Check['result'] {
  if (isNotModelled(observed)) return 'not modelled';
  if (!expected) return 'no prediction';
  return meets(expected, observed) ? 'ok' : 'differs';
}

function forVersion({ versions }: ByVersion, version: string): Outcome | null {
  const range = Object.keys(versions).find((one) => satisfies(serverVersion(version), one));
  return range === undefined ? null : (versions[range] ?? null);
}

/** The outcome alone, as it goes into the record. */
function outcomeIn({
  source: _source,
  claims: _claims,
  recording: _recording,
  ...outcome
}: Evidence & Outcome): Outcome {
  return outcome;
}
