/** What became of each claim, with links to the steps that it rests on and to its other experiments. */
import type { VerdictRecord } from '../../../experiments/harness/record.ts';
import { recorded, statementOf } from '../../verdicts.ts';
import { claimHref } from '../paths.ts';
import { Prose } from '../prose.tsx';
import { Recorded } from './recordings.tsx';
import { hashOf } from './stepping.ts';

export function Verdicts({ verdicts }: { verdicts: readonly VerdictRecord[] }) {
  return (
    <>
      <h2>Verdicts</h2>
      <ul class="verdicts">
        {verdicts.map((verdict) => (
          <VerdictItem {...verdict} />
        ))}
      </ul>
    </>
  );
}

function VerdictItem({ claim, verdict, reason, steps, recordings }: VerdictRecord) {
  return (
    <li>
      <p>
        <span class={`badge ${verdict}`}>{verdict}</span>{' '}
        <a href={claimHref(claim)}>
          <strong>{claim}</strong>
        </a>{' '}
        <Prose text={statementOf(claim)} />
      </p>
      <div class="because">
        <p class="why">
          <Prose text={reason} />
          <StepLinks steps={steps} />
        </p>
        {verdict === 'modelled' && recorded(recordings).shown.length === 0 && <p>never recorded here</p>}
        {verdict === 'modelled' && <Recorded links={recordings} />}
      </div>
    </li>
  );
}

function StepLinks({ steps }: { steps: readonly number[] }) {
  if (steps.length === 0) return null;
  return (
    <span class="steps">
      see step
      {steps.map((step) => (
        <a href={hashOf(step)} aria-label={`step ${step}`}>
          {step}
        </a>
      ))}
    </span>
  );
}
