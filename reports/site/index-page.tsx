/** The first page of the site: every experiment and every claim on every server, and how to read what is said of them. */
import { claims } from '../../experiments/harness/claims.ts';
import { MODEL_NOTE } from '../comparison.ts';
import { claimsThat } from '../index.ts';
import { isModelled, type ResultSet, testedClaims, type Verdict } from '../sets.ts';
import { joined, plural } from '../words.ts';
import { ClaimTable, ExperimentTable } from './index-tables.tsx';
import { MATRIX } from './paths.ts';
import { Prose } from './prose.tsx';
import { renderPage } from './render.ts';

/**
 * @param sets in the order of their columns
 * @returns an HTML document
 */
export function indexDocument(sets: readonly ResultSet[]): string {
  return renderPage({ title: 'Experiments', root: '', current: 'index', children: <IndexContent sets={sets} /> });
}

function IndexContent({ sets }: { sets: readonly ResultSet[] }) {
  return (
    <>
      <h1>Does a unique index stay unique once a collection is sharded?</h1>
      <p class="lead">
        Experiments on sharded MongoDB clusters: every command that was sent, every reply that came back, who answered,
        and where the documents ended up.
      </p>
      <p>
        <a href="#experiments">Experiments</a> · <a href="#claims">Claims</a> · <a href="#reading">How to read it</a>
      </p>
      {sets.some(isModelled) && (
        <p class="note modelled">
          <Prose text={MODEL_NOTE} />
        </p>
      )}
      {sets.length === 0 ? <p>No experiment has been run yet.</p> : <Tables sets={sets} />}
      <HowToRead sets={sets} />
    </>
  );
}

function Tables({ sets }: { sets: readonly ResultSet[] }) {
  return (
    <>
      <h2 id="experiments">Experiments</h2>
      <p>How many predictions of each came true on each server, and the claims that it tests.</p>
      <ExperimentTable sets={sets} />
      <h2 id="claims">Claims</h2>
      <p>
        Statements that people rely on, and the experiments that test them; {testedClaims(sets).length} of{' '}
        {Object.keys(claims).length} have an experiment. What differs between versions, and since when, is in the{' '}
        <a href={MATRIX}>matrix</a>.
      </p>
      {testedClaims(sets).length > 0 && <ClaimTable sets={sets} />}
    </>
  );
}

const MEANING: Readonly<Record<Verdict, string>> = {
  holds: 'Every step that bears on the claim was answered as it says, by a server or a real engine.',
  fails: 'A step shows something else. That is a finding, not a fault, where it was predicted.',
  modelled:
    'Our model of the sharding layer decided it. That proves nothing about MongoDB, and counts neither as passed nor as failed.',
  skipped: 'The claim was not tested on this server; its experiment says why.',
};

function HowToRead({ sets }: { sets: readonly ResultSet[] }) {
  return (
    <>
      <h2 id="reading">How to read it</h2>
      <dl class="meanings">
        {Object.entries(MEANING).map(([verdict, meaning]) => (
          <>
            <dt>
              <span class={`badge ${verdict}`}>{verdict}</span>
            </dt>
            <dd>
              {meaning} <CountText verdict={verdict as Verdict} sets={sets} />
            </dd>
          </>
        ))}
      </dl>
      <p>
        A prediction says what this version of a server does, and where that is known from. It never changes what is
        recorded: where the two differ, the page shows both.
      </p>
    </>
  );
}

function CountText({ verdict, sets }: { verdict: Verdict; sets: readonly ResultSet[] }) {
  const counts = sets.map((set) => ({ name: set.name, count: claimsThat(verdict, set) }));
  const some = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${plural(count, 'claim')} on ${name}`);
  return <small>{some.length > 0 ? `${joined(some)}.` : ''}</small>;
}
