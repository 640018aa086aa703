/** What leads from step to step; the script uncovers it. Before it, the list of steps, which works without. */
import type { StepRecord } from '../../../experiments/harness/record.ts';
import { plural } from '../../words.ts';
import { Prose } from '../prose.tsx';
import { type Direction, hashOf, KEYS } from './stepping.ts';

export function Player({ steps }: { steps: readonly StepRecord[] }) {
  return (
    <>
      <details class="contents">
        <summary>List of {plural(steps.length, 'step')}</summary>
        <ol>
          {steps.map(({ number, caption }) => (
            <li value={number}>
              <a href={hashOf(number)}>
                <Prose text={caption} />
              </a>
            </li>
          ))}
        </ol>
      </details>
      <fieldset class="player" hidden>
        <legend class="unseen">Step through the experiment (arrow keys, Home and End work, too)</legend>
        <Button to="first" label="First" />
        <Button to="back" label="Back" />
        <input type="range" min={1} max={steps.length} value={1} aria-label="Step" />
        <Button to="next" label="Next" />
        <Button to="last" label="Last" />
        <span class="position" aria-hidden="true" />
      </fieldset>
      <p class="unseen" aria-live="polite" />
    </>
  );
}

function Button({ to, label }: { to: Direction; label: string }) {
  return (
    <button type="button" data-to={to} aria-keyshortcuts={KEYS[to]} title={KEYS[to]}>
      {label}
    </button>
  );
}
