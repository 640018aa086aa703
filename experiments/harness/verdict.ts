/** Verdicts: pure functions over what was recorded. */
import { type Claim, claims as registry } from './claims.ts';
import { answerersOf, type Check, type Ending, type StepRecord, type VerdictRecord } from './record.ts';

/** A recorded history, as far as verdicts depend on it. */
export interface History {
  readonly claims: readonly string[];
  /** The router is this project's model of the sharding layer. */
  readonly modelled: boolean;
  readonly ended: Ending;
  readonly steps: readonly StepRecord[];
}

/** A step that is evidence for a claim. */
type EvidenceStep = StepRecord & { readonly check: Check };

/**
 * What became of each claim. What the model decided, or answered, proves nothing about MongoDB: it is `modelled`, whether it
 * agrees with the claim or not. Otherwise a claim `fails` where the evidence shows something else, and a history that did not
 * come to its end decides nothing.
 */
export function verdictsOf(history: History): VerdictRecord[] {
  return history.claims.map((claim) => verdictOf(claim, history));
}

function verdictOf(claim: string, history: History): VerdictRecord {
  const evidence = history.steps.filter((step): step is EvidenceStep => step.check?.claims.includes(claim) ?? false);
  const steps = evidence.map(({ number }) => number);
  const verdict = (kind: VerdictRecord['verdict'], reason: string): VerdictRecord => ({
    claim,
    verdict: kind,
    reason,
    steps,
    recordings: kind === 'modelled' ? recordingsOf(evidence) : [],
  });
  const skipped = reasonToSkip(history.ended, evidence);
  const against = evidence.filter(({ check }) => check.result !== 'not modelled' && !check.shown);
  const otherwise =
    against.length > 0 ? `${listed(against)} ${against.length > 1 ? 'show' : 'shows'} something else` : '';
  if (skipped && !otherwise) return verdict('skipped', skipped);
  const part = history.modelled ? partOfTheModel(claim, evidence) : undefined;
  if (part) return verdict('modelled', otherwise ? `${part}; ${otherwise}` : part);
  if (otherwise) return verdict('fails', otherwise);
  return verdict('holds', `${listed(evidence)}, answered by ${history.modelled ? 'a real engine' : 'a server'}`);
}

/** What our model has to do with the evidence; undefined where engines alone decided and answered. */
function partOfTheModel(claim: string, evidence: readonly EvidenceStep[]): string | undefined {
  const layer = (registry as Readonly<Record<string, Claim>>)[claim]?.decidedBy;
  if (layer === 'both') return 'our model of the sharding layer takes part in deciding it here';
  if (layer !== 'engine') return 'our model of the sharding layer decides it here';
  const unproven = evidence.filter((step) => String(answerersOf(step)) !== 'engine');
  return unproven.length > 0 ? `our model of the sharding layer answered in ${listed(unproven)}` : undefined;
}

function reasonToSkip(ended: Ending, evidence: readonly EvidenceStep[]): string | undefined {
  if (ended.how === 'skipped') return ended.reason;
  if (ended.how !== 'completed') return 'the experiment did not come to its end';
  return evidence.length === 0 ? 'no step tested it' : undefined;
}

/** `step 4`, `steps 4 and 6`, `steps 4, 6 and 7`. */
function listed(steps: readonly StepRecord[]): string {
  const numbers = steps.map(({ number }) => String(number));
  return numbers.length === 1 ? `step ${numbers[0]}` : `steps ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

function recordingsOf(evidence: readonly EvidenceStep[]): VerdictRecord['recordings'] {
  return evidence.flatMap(({ number, check: { recording } }) => (recording ? [{ ...recording, of: number }] : []));
}
