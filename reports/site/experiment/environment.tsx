/** What answered: the cluster, and how much of it was MongoDB. */
import type { AnsweredBy, Environment, ModelNote, StepRecord } from '../../../experiments/harness/record.ts';
import { argumentsText } from '../../server-arguments.ts';
import { answerer, joined, NO_GIT_VERSION } from '../../words.ts';

interface Props {
  readonly environment: Environment;
  readonly steps: readonly StepRecord[];
}

export function EnvironmentSection({ environment, steps }: Props) {
  const { version, gitVersion, featureCompatibilityVersion: fcv, distribution, shards, model } = environment;
  const told = argumentsText(environment.arguments);
  return (
    <>
      <h2>Who answered</h2>
      {model && <ModelText model={model} />}
      <dl class="facts">
        <Fact name="MongoDB" value={gitVersion === NO_GIT_VERSION ? version : `${version} (git ${gitVersion})`} />
        {fcv && <Fact name="feature compatibility version" value={fcv} />}
        <Fact name="distribution" value={distribution} />
        {told && <Fact name="arguments of the user" value={told} />}
        <Fact name="shards" value={`${joined(shards)}; primary shard of the scratch database: ${shards[0] ?? ''}`} />
        <Fact name="sharding layer" value={model ? 'our model' : 'real servers'} />
        <Fact name="replies" value={repliesText(steps)} />
      </dl>
    </>
  );
}

function ModelText({ model: { writtenFrom, recordings } }: { model: ModelNote }) {
  return (
    <p class="note modelled">
      <strong>The sharding layer is our model</strong>, written from the source of MongoDB {writtenFrom}: what it
      answers proves nothing about MongoDB. It chose the shards and put their replies together, also where a real engine
      answered the router. Steps that name a recording were checked against recordings of real clusters of MongoDB{' '}
      {joined(recordings)}.
    </p>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const ORDER: readonly AnsweredBy[] = ['server', 'engine', 'model', 'nobody'];

function repliesText(steps: readonly StepRecord[]): string {
  const from = steps.flatMap(({ exchanges }) => exchanges.map(({ answeredBy }) => answeredBy));
  if (from.length === 0) return 'none';
  const counts = ORDER.map((who) => ({ who, count: from.filter((one) => one === who).length }));
  return joined(counts.filter(({ count }) => count > 0).map(({ who, count }) => `${count} from ${answerer(who)}`));
}
