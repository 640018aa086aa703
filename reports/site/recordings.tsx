/** Recordings of real clusters that show what a model or an engine was asked here. */
import type { RecordingLink } from '../../experiments/harness/record.ts';
import { joined } from '../words.ts';

/** Where real clusters show it, and where they show something else. */
export function Recorded({ links }: { links: readonly RecordingLink[] }) {
  const shown = links.filter(({ versions }) => versions.length > 0);
  const other = links.flatMap(({ otherwise, ...link }) => (otherwise ? [{ ...link, versions: otherwise }] : []));
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
      {bySteps(links).map(({ scenario, steps, versions }, i) => (
        <>
          {i > 0 && '; '}
          <code>{scenario}</code> {steps.length === 1 ? 'step' : 'steps'} {joined(steps)} (MongoDB {versions})
        </>
      ))}
    </>
  );
}

/** The steps of one scenario together, where the same versions have them. */
function bySteps(links: readonly RecordingLink[]) {
  const keyOf = ({ scenario, versions }: RecordingLink) => JSON.stringify([scenario, versions]);
  return [...new Set(links.map(keyOf))].map((key) => {
    const of = links.filter((link) => keyOf(link) === key);
    const [{ scenario, versions }] = of as [RecordingLink];
    return { scenario, versions: joined(versions), steps: of.map(({ step }) => String(step)) };
  });
}
