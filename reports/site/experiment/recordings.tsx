/** Recordings of real clusters that show what a model or an engine was asked here. */
import type { RecordingLink } from '../../../experiments/harness/record.ts';
import { recorded, recordedSteps } from '../../verdicts.ts';
import { joined } from '../../words.ts';

/** Where real clusters show it, and where they show something else. */
export function Recorded({ links }: { links: readonly RecordingLink[] }) {
  const { shown, other } = recorded(links);
  return (
    <>
      {shown.length > 0 && (
        <p>
          recorded on real clusters: <Links links={shown} />
        </p>
      )}
      {other.length > 0 && (
        <p>
          recorded otherwise: <Links links={other} />
        </p>
      )}
    </>
  );
}

function Links({ links }: { links: readonly RecordingLink[] }) {
  return (
    <>
      {recordedSteps(links).map(({ scenario, steps, versions }, i) => (
        <>
          {i > 0 && '; '}
          <code>{scenario}</code> {steps.length === 1 ? 'step' : 'steps'} {joined(steps)} (MongoDB {joined(versions)})
        </>
      ))}
    </>
  );
}
