/** What differs between versions of the servers, claim by claim, and since when. */
import { type Row, stretchText } from '../comparison.ts';
import type { Difference } from '../differences.ts';
import { statementOf } from '../verdicts.ts';
import { Prose } from './prose.tsx';

export function Differences({ rows }: { rows: readonly Row[] }) {
  const differing = rows.filter(({ differences }) => differences.length > 0);
  if (differing.length === 0) return null;
  return (
    <>
      <h2>What differs</h2>
      {differing.map(({ claim, differences }) => (
        <section class="differences" id={claim}>
          <h3>
            {claim}: <Prose text={statementOf(claim)} />
          </h3>
          <ul>
            {differences.map((difference) => (
              <DifferenceItem difference={difference} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function DifferenceItem({ difference }: { difference: Difference }) {
  const { kind, stretches } = difference;
  return (
    <li>
      <Prose text={placeOf(difference)} />
      <ul>
        {stretches.map((stretch, i) => (
          <li>
            <Prose text={stretchText(stretch, i === 0, kind)} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function placeOf({ experiment, step, kind, stretches }: Difference): string {
  const where = step ? `step ${step.number} (${step.caption})` : 'verdict';
  return `${experiment}, ${where}${kind === 'text' ? `, ${stretches[0]?.outcome} everywhere` : ''}:`;
}
