/** The tables of the first page: experiments and claims by server. */
import type { ExperimentHead, ResultRecord } from '../../experiments/harness/record.ts';
import { outcomeOf, predictionsIn } from '../index.ts';
import { fileName, isModelled, numberText, type ResultSet, testedClaims, verdictsOn } from '../sets.ts';
import { statementOf } from '../verdicts.ts';
import { experimentHref, MATRIX, verdictId } from './paths.ts';
import { Prose } from './prose.tsx';

interface Props {
  /** In the order of their columns. */
  readonly sets: readonly ResultSet[];
}

export function ExperimentTable({ sets }: Props) {
  return (
    <section class="matrix" aria-label="Experiments by server" tabindex={0}>
      <table>
        <caption class="unseen">How the predictions of each experiment fared, by server</caption>
        <Heads first="Experiment" sets={sets} />
        <tbody>
          {experimentsIn(sets).map((experiment) => (
            <tr id={rowId(experiment)}>
              <th scope="row">
                <Title experiment={experiment} sets={sets} />
                {experiment.claims.map((claim) => (
                  <RowLink to={claim} label={claim} />
                ))}
              </th>
              {sets.map((set, i) => (
                <td class={startsApart(sets, i) ? 'apart' : undefined}>
                  <Outcome set={set} record={recordIn(set, experiment)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Leads to the page of the first server that has one. */
function Title({ experiment, sets }: { experiment: ExperimentHead } & Props) {
  const [href = ''] = sets.flatMap((set) => {
    const record = recordIn(set, experiment);
    return record ? [experimentHref(set, record)] : [];
  });
  return (
    <a class="title" href={href}>
      <b>{numberText(experiment)}</b> <Prose text={experiment.title} />
    </a>
  );
}

/** From an experiment to the claims that it tests, and back. */
function RowLink({ to, label }: { to: string; label: string }) {
  return (
    <small>
      {' '}
      <a href={`#${to}`}>{label}</a>
    </small>
  );
}

function rowId({ number }: ExperimentHead): string {
  return `experiment-${number}`;
}

/** Each once, in the order of their numbers. */
function experimentsIn(sets: readonly ResultSet[]): ExperimentHead[] {
  const heads = sets.flatMap(({ records }) =>
    records.map(({ experiment }) => [fileName(experiment), experiment] as const),
  );
  return [...new Map(heads).values()].toSorted((one, other) => one.number - other.number);
}

function recordIn({ records }: ResultSet, experiment: ExperimentHead): ResultRecord | undefined {
  return records.find((record) => fileName(record.experiment) === fileName(experiment));
}

function Outcome({ set, record }: { set: ResultSet; record: ResultRecord | undefined }) {
  if (!record) return '–';
  return (
    <a class={`badge ${kindOf(record)}`} href={experimentHref(set, record)}>
      {outcomeOf(record).replace(/ predictions?/, '')}
    </a>
  );
}

function kindOf({ ended, steps }: ResultRecord): 'ok' | 'differs' | 'skipped' | 'none' {
  if (ended.how !== 'completed') return ended.how === 'skipped' ? 'skipped' : 'differs';
  const checks = predictionsIn(steps);
  if (checks.some(({ result }) => result !== 'ok')) return 'differs';
  return checks.length > 0 ? 'ok' : 'none';
}

export function ClaimTable({ sets }: Props) {
  const experiments = experimentsIn(sets);
  return (
    <section class="matrix" aria-label="Claims by server" tabindex={0}>
      <table>
        <caption class="unseen">Verdict on each claim, by server</caption>
        <Heads first="Claim" sets={sets} />
        <tbody>
          {testedClaims(sets).map((claim) => (
            <tr id={claim}>
              <th scope="row">
                <b>{claim}</b> <Prose text={statementOf(claim)} />
                {experiments
                  .filter((experiment) => experiment.claims.includes(claim))
                  .map((experiment) => (
                    <RowLink to={rowId(experiment)} label={numberText(experiment)} />
                  ))}
              </th>
              {sets.map((set, i) => (
                <td class={startsApart(sets, i) ? 'apart' : undefined}>
                  <Verdicts claim={claim} set={set} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Each opens its cell of the matrix. */
function Verdicts({ claim, set }: { claim: string; set: ResultSet }) {
  const said = verdictsOn(set, claim);
  if (said.length === 0) return '–';
  return said.map(([record, { verdict }]) => (
    <a class={`badge ${verdict}`} href={`${MATRIX}#${verdictId(claim, set, record)}`}>
      {verdict}
    </a>
  ));
}

function Heads({ first, sets }: { first: string } & Props) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {sets.map((set, i) => (
          <th
            scope="col"
            class={`${isModelled(set) ? 'model' : ''} ${startsApart(sets, i) ? 'apart' : ''}`.trim() || undefined}
          >
            {set.name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Whether modelled columns begin with this one, behind those of servers. */
function startsApart(sets: readonly ResultSet[], column: number): boolean {
  return sets.findIndex(isModelled) === column;
}
