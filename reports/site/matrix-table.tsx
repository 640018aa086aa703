/** The table of the matrix, and what chooses among its rows. */
import type { Comparison, Row } from '../comparison.ts';
import { kindOf } from '../comparison.ts';
import { type ResultSet, VERDICTS, verdictsOn } from '../sets.ts';
import { statementOf } from '../verdicts.ts';
import { joined } from '../words.ts';
import { experimentHref, verdictId } from './paths.ts';
import { Prose } from './prose.tsx';

/** Shown by the page's script, for it does nothing without it. */
export function MatrixFilter({ comparison: { real, rows } }: { comparison: Comparison }) {
  return (
    <fieldset class="filter" id="filter" hidden>
      <legend class="unseen">Which claims are shown</legend>
      <label>
        Verdict{' '}
        <select id="verdict">
          <option value="">any</option>
          {VERDICTS.map((verdict) => (
            <option value={verdict}>{verdict}</option>
          ))}
        </select>
      </label>
      {real.length > 1 && (
        <label>
          <input type="checkbox" id="differing" /> only what differs between versions
        </label>
      )}
      <output id="shown" for="verdict differing">
        {rows.length} of {rows.length} claims
      </output>
    </fieldset>
  );
}

export function MatrixTable({ comparison }: { comparison: Comparison }) {
  const { real, modelled, rows } = comparison;
  return (
    <section class="matrix" aria-label="Claim by version" tabindex={0}>
      <table>
        <caption class="unseen">Verdict on each claim by version</caption>
        <colgroup />
        {real.length > 0 && <colgroup span={real.length + 1} />}
        {modelled.length > 0 && <colgroup class="model" span={modelled.length} />}
        <thead>
          <Heads real={real} modelled={modelled} />
        </thead>
        <tbody>
          {rows.map((row) => (
            <ClaimRow row={row} real={real} modelled={modelled} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Columns = Pick<Comparison, 'real' | 'modelled'>;

function Heads({ real, modelled }: Columns) {
  return (
    <>
      <tr>
        <th scope="col" rowspan={2}>
          Claim
        </th>
        {real.length > 0 && (
          <th scope="colgroup" colspan={real.length + 1}>
            Real servers
          </th>
        )}
        {modelled.length > 0 && (
          <th class="model apart" scope="colgroup" colspan={modelled.length}>
            Modelled: no proof
          </th>
        )}
      </tr>
      <tr>
        {real.map(({ name }) => (
          <th scope="col">{name}</th>
        ))}
        {real.length > 0 && (
          <th class="since" scope="col">
            Since when
          </th>
        )}
        {modelled.map(({ name }, i) => (
          <th class={i === 0 ? 'model apart' : 'model'} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </>
  );
}

function ClaimRow({ row, real, modelled }: { row: Row } & Columns) {
  const { claim, differences } = row;
  const said = [...real, ...modelled].flatMap((set) => verdictsOn(set, claim).map(([, { verdict }]) => verdict));
  const changed = changedOn(row);
  return (
    <tr
      data-claim={claim}
      data-verdicts={[...new Set(said)].join(' ')}
      data-differs={differences.length > 0 ? '' : undefined}
    >
      <th scope="row">
        <b>{claim}</b>{' '}
        <span class="statement">
          <Prose text={statementOf(claim)} />
        </span>
      </th>
      {real.map((set) => (
        <Cell claim={claim} set={set} isChanged={changed.includes(set.name)} />
      ))}
      {real.length > 0 && (
        <td>
          <SinceWhen row={row} />
        </td>
      )}
      {modelled.map((set, i) => (
        <Cell claim={claim} set={set} isApart={i === 0} />
      ))}
    </tr>
  );
}

interface CellProps {
  readonly claim: string;
  readonly set: ResultSet;
  /** The outcome is another one than on the server before. */
  readonly isChanged?: boolean;
  /** The first of those that stand apart. */
  readonly isApart?: boolean;
}

function Cell({ claim, set, isChanged, isApart }: CellProps) {
  const said = verdictsOn(set, claim);
  return (
    <td class={isApart ? 'apart' : undefined}>
      {said.length === 0 && '–'}
      {said.map(([record, { verdict, steps }]) => (
        <a
          class={`badge ${verdict}`}
          href={experimentHref(set, record, steps[0])}
          data-cell={verdictId(claim, set, record)}
          data-set={set.name}
        >
          {verdict}
        </a>
      ))}
      {isChanged && <small> changed</small>}
    </td>
  );
}

function SinceWhen({ row }: { row: Row }) {
  const { claim, servers, everywhere, differences } = row;
  const kind = kindOf(differences);
  if (servers < 2) return '–';
  if (!kind) return everywhere ? 'same' : `same on ${servers}`;
  const words = kind === 'outcome' ? 'another outcome' : 'other messages';
  return (
    <a href={`#${claim}`}>
      {words} since {joined(sinceWhen(row))}
    </a>
  );
}

/** Servers on which the outcome is another one than on the server before. */
function changedOn(row: Row): string[] {
  return kindOf(row.differences) === 'outcome' ? sinceWhen(row) : [];
}

/** Servers with which a difference of the weightiest kind begins. */
function sinceWhen({ differences }: Row): string[] {
  const kind = kindOf(differences);
  const begin = differences
    .filter((difference) => difference.kind === kind)
    .flatMap(({ stretches }) =>
      stretches.filter((one, i) => i > 0 && (kind === 'text' || one.outcome !== stretches[i - 1]?.outcome)),
    );
  return [...new Set(begin.flatMap(({ servers }) => servers[0] ?? []))];
}
