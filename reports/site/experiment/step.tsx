/** One step: on one side what was asked and answered, on the other the cluster after it. */
import type { Check, Environment, StepRecord } from '../../../experiments/harness/record.ts';
import type { StepStates } from '../../changes.ts';
import { GLYPHS } from '../../marks.ts';
import { answerers, capitalised, checkText, evidenceText, joined, observedText } from '../../words.ts';
import { Prose, Source } from '../prose.tsx';
import { changeLines, hiddenLines, nothingChanged } from './change-words.ts';
import { ClusterMap } from './cluster.tsx';
import { Exchanges } from './exchange.tsx';
import { InFull } from './in-full.tsx';
import { Recorded } from './recordings.tsx';
import { stepId } from './stepping.ts';

interface Props {
  readonly step: StepRecord;
  readonly environment: Environment;
  /** Absent where states were not looked at. */
  readonly states?: StepStates | undefined;
  /** The run ended in it, or behind it, before its own end. */
  readonly isBrokenOff?: boolean;
}

export function Step({ step, environment, states, isBrokenOff = false }: Props) {
  const { number, section, caption } = step;
  return (
    <section class="step" id={stepId(number)}>
      {section === 'instead' && <p class="eyebrow">What works instead</p>}
      <h3 tabindex={-1}>
        <span class="number">{number}.</span>{' '}
        <span class="caption">
          <Prose text={caption} />
        </span>
      </h3>
      <div class={states ? 'sides' : ''}>
        <Told step={step} shards={environment.shards} />
        {states && <ClusterSide states={states} shards={environment.shards} isUnseen={isBrokenOff && !step.state} />}
      </div>
    </section>
  );
}

function Told({ step, shards }: { step: StepRecord; shards: readonly string[] }) {
  const { exchanges, observed, check } = step;
  return (
    <div class="told">
      <Exchanges exchanges={exchanges} />
      {observed.race && (
        <p>
          {capitalised(observedText(observed))}; answered by {answerers(step)}.
        </p>
      )}
      {observed.error !== undefined && exchanges.every(({ failure }) => !failure) && (
        <p>
          It ended with <code>{observed.error}</code>
        </p>
      )}
      {observed.counts && <Counts counts={observed.counts} shards={shards} />}
      {check && <CheckLine check={check} step={step} />}
    </div>
  );
}

function Counts({ counts, shards }: { counts: readonly number[]; shards: readonly string[] }) {
  return <p>Documents: {joined(counts.map((count, i) => `${count} on ${shards[i]}`))}</p>;
}

const CHECK_BADGES = { ok: 'ok', differs: 'differs', 'no prediction': 'none', 'not modelled': 'skipped' } as const;

function CheckLine({ check, step }: { check: Check; step: StepRecord }) {
  const { source, claims, recording } = check;
  return (
    <div class={`check ${CHECK_BADGES[check.result]}`}>
      <p>
        <Prose text={capitalised(checkText(check, step.observed))} />
      </p>
      {source && (
        <p>
          known from <Source text={source} />
        </p>
      )}
      {claims.length > 0 && <p>{evidenceText(check)}</p>}
      {recording && <Recorded links={[recording]} />}
    </div>
  );
}

interface ClusterProps {
  readonly states: StepStates;
  readonly shards: readonly string[];
  /** Nobody may have looked at it after the step. */
  readonly isUnseen: boolean;
}

function ClusterSide({ states, shards, isUnseen }: ClusterProps) {
  const lines = changeLines(states);
  return (
    <div class="cluster">
      <h4>{isUnseen ? 'The cluster as it was last seen' : 'The cluster after this step'}</h4>
      {(isUnseen || lines.length === 0) && (
        <p class="changes">
          <span class="text">{isUnseen ? UNSEEN : nothingChanged(states)}</span>
        </p>
      )}
      {lines.length > 0 && (
        <ul class="changes">
          {lines.map(({ mark, text }) => (
            <li class={mark}>
              <span class="glyph" aria-hidden="true">
                {GLYPHS[mark]}
              </span>
              <span class="text">
                <Prose text={text} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {hiddenLines(states).map((line) => (
        <p class="hidden-documents">
          <Prose text={line} />
        </p>
      ))}
      <ClusterMap states={states} shards={shards} />
      <InFull collections={states.after} />
    </div>
  );
}

const UNSEEN = 'The run was broken off here: what this step changed may not have been seen.';
