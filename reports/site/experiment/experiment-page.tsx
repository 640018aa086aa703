/** The page of one experiment on one server, whole: its script only shows one step at a time. A pure function of the record. */
import { createElement } from 'preact';
import type { ResultRecord, StepRecord } from '../../../experiments/harness/record.ts';
import { stepStates } from '../../changes.ts';
import { footnoteText } from '../../footnote.ts';
import { fileName, titleText } from '../../sets.ts';
import { code, endingText } from '../../words.ts';
import { Prose, Source } from '../prose.tsx';
import { renderPage } from '../render.ts';
import { EnvironmentSection } from './environment.tsx';
import { type Fitting, fittingPage } from './fitting.ts';
import { Legend } from './legend.tsx';
import { Neighbours, type NeighboursProps } from './neighbours.tsx';
import { Placement } from './placement.tsx';
import { Player } from './player.tsx';
import { Step } from './step.tsx';
import { Verdicts } from './verdicts.tsx';

/** @returns an HTML document for `<site>/<set>/`, that needs no other file and no network and is at most 300 kB */
export function experimentDocument(record: ResultRecord, neighbours: NeighboursProps = {}): string {
  const title = titleText(record.experiment);
  return fittingPage(record, (fitting) =>
    renderPage({
      title: `${title} (${record.environment.version})`,
      root: '../',
      ...(fitting.steps.length > 0 && { client: 'steps' }),
      children: createElement(ExperimentContent, { record, title, fitting, neighbours }),
    }),
  );
}

interface Props {
  readonly record: ResultRecord;
  readonly title: string;
  readonly fitting: Fitting;
  readonly neighbours: NeighboursProps;
}

function ExperimentContent({ record, title, fitting, neighbours }: Props) {
  const { experiment, environment, ended, verdicts, steps } = record;
  const ending = endingText(ended);
  return (
    <>
      <h1>
        <Prose text={title} />
      </h1>
      <p class="lead">
        <Prose text={experiment.question} />
      </p>
      {fitting.steps.length > 0 && (
        <p>
          <a class="action" href="#steps">
            Step through it
          </a>
        </p>
      )}
      {ending && (
        <p class={`ending ${ended.how}`}>
          <Prose text={ending} />
        </p>
      )}
      {verdicts.length > 0 && <Verdicts verdicts={verdicts} />}
      <EnvironmentSection environment={environment} steps={steps} />
      <h2 id="steps">Steps</h2>
      {fitting.omitted && (
        <p class="note omitted">
          <Prose text={fitting.omitted} />
        </p>
      )}
      {steps.length === 0 && <p>No step was run.</p>}
      {fitting.steps.length > 0 && <Steps record={record} steps={fitting.steps} />}
      <Sources sources={experiment.sources} />
      {steps.length > 0 && (
        <p class="footnote">
          <Prose text={footnoteText(`the record, ${code(`${fileName(experiment)}.json`)} of the results,`)} />
        </p>
      )}
      <Neighbours {...neighbours} />
    </>
  );
}

function Steps({ record, steps }: { record: ResultRecord; steps: readonly StepRecord[] }) {
  const { environment } = record;
  const states = stepStates({ ...record, steps });
  const broken = record.ended.how === 'completed' ? undefined : record.steps.at(-1)?.number;
  return (
    <>
      <Player steps={steps} />
      {states && <Legend />}
      {steps.map((step, i) => (
        <Step step={step} environment={environment} states={states?.[i]} isBrokenOff={step.number === broken} />
      ))}
      {!states && <Placement placement={record.placement} shards={environment.shards} />}
    </>
  );
}

function Sources({ sources }: { sources: readonly string[] }) {
  if (sources.length === 0) return null;
  return (
    <>
      <h2>Where the predictions come from</h2>
      <ul>
        {sources.map((source) => (
          <li>
            <Source text={source} />
          </li>
        ))}
      </ul>
    </>
  );
}
