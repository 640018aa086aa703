/** One page per experiment: a pure function of its result record, and of the others of its server for the links to them. */
import type { Environment, RecordingLink, ResultRecord, StepRecord } from '../experiments/harness/record.ts';
import { CONTENTS, type Heading, type Part, pageText } from './contents.ts';
import { type Diagram, diagramsOf } from './diagram.tsx';
import { footnoteText } from './footnote.ts';
import { inlineText, paragraphText } from './inline-text.ts';
import { placementParts } from './placement.ts';
import { argumentsText } from './server-arguments.ts';
import { fileName, type ResultSet, titleText, verdictsOn } from './sets.ts';
import { sourceText, stepText } from './step-text.ts';
import { type ClaimLinks, recordingTargets, verdictLines, verdictTable } from './verdicts.ts';
import { code, endingText, joined, NO_GIT_VERSION, proseTable } from './words.ts';

/** What surrounds a page. */
export interface PageContext {
  /** Path from the page to this repository, `../../..`; undefined for a page outside of it, which links to nothing in it. */
  readonly root?: string | undefined;
  /** Path from the page to the index of all results. */
  readonly index?: string | undefined;
  /** The records of the same server, which lie in the same folder. */
  readonly set?: ResultSet | undefined;
}

/** An experiment on one server as files beside its record. */
export interface ExperimentFiles {
  /** The page. */
  readonly page: string;
  /** The pictures in it. */
  readonly diagrams: readonly { readonly path: string; readonly svg: string }[];
}

/** Paths are from the folder of the page. */
export function experimentFiles(record: ResultRecord, context: PageContext = {}): ExperimentFiles {
  const diagrams = diagramsOf(record).map((diagram) => ({ ...diagram, path: diagramPath(record, diagram) }));
  return {
    page: experimentPage(record, diagrams, context),
    diagrams: diagrams.map(({ path, svg }) => ({ path, svg })),
  };
}

function diagramPath({ experiment }: ResultRecord, { number }: Diagram): string {
  return `diagrams/${fileName(experiment)}-step-${number}.svg`;
}

type PlacedDiagram = Diagram & { path: string };

function experimentPage(record: ResultRecord, diagrams: readonly PlacedDiagram[], context: PageContext): string {
  const { experiment, environment, ended, verdicts } = record;
  const told = (section: StepRecord['section']) =>
    record.steps.filter((step) => step.section === section).flatMap((step) => stepParts(step, environment, diagrams));
  const instead = told('instead');
  return pageText(
    { level: 1, text: titleText(experiment) },
    paragraphText(experiment.question),
    verdictLines(verdicts),
    environmentTable(environment),
    endingText(ended),
    CONTENTS,
    ...(verdicts.length > 0 ? [VERDICTS, verdictTable(verdicts, claimLinks(record, context))] : []),
    ...(record.steps.length > 0 ? [STEPS, sourcesText(experiment)] : []),
    ...told('story'),
    ...(instead.length > 0 ? [{ level: 2, text: 'What works instead' } as const, ...instead] : []),
    ...(diagrams.length > 0 ? [] : placementParts(record.placement, environment.shards)),
    record.steps.length > 0 && `---\n\n${footnoteText(`[the record](${fileName(experiment)}.json)`)}`,
    recordingTargets(recordedVersions(record), recordedScenarios(record), context.root),
  );
}

const VERDICTS: Heading = { level: 2, text: 'Verdicts' };
const STEPS: Heading = { level: 2, text: 'Steps' };

function sourcesText({ sources }: ResultRecord['experiment']): string | false {
  return sources.length > 0 && `The predictions come from ${joined(sources.map(sourceText))}.`;
}

function stepParts(step: StepRecord, environment: Environment, diagrams: readonly PlacedDiagram[]): Part[] {
  const diagram = diagrams.find(({ number }) => number === step.number);
  return [{ level: 3, text: `${step.number}. ${step.caption}` }, stepText(step, environment, diagram)];
}

function claimLinks(record: ResultRecord, { index, set }: PageContext): ClaimLinks {
  const elsewhere = (claim: string) =>
    (set ? verdictsOn(set, claim) : [])
      .filter(([{ experiment }]) => experiment.number !== record.experiment.number)
      .map(([other]) => `[${fileName(other.experiment)}](${fileName(other.experiment)}.md)`);
  return { list: index, elsewhere };
}

function environmentTable(environment: Environment): string {
  const { version, gitVersion, featureCompatibilityVersion: fcv, distribution, shards, model } = environment;
  const known = inlineText(version);
  const told = argumentsText(environment.arguments);
  return proseTable([
    ['MongoDB', gitVersion === NO_GIT_VERSION ? known : `${known} (git ${code(gitVersion)})`],
    ...(fcv ? [['feature compatibility version', inlineText(fcv)]] : []),
    ['distribution', distribution],
    ...(told ? [['arguments of the user', code(told)]] : []),
    ['shards', `${shards.map(code).join(', ')}; primary shard of the scratch database: ${code(shards[0] ?? '')}`],
    ['sharding layer', model ? modelText(model) : 'real servers'],
  ]);
}

function modelText({ writtenFrom, recordings }: NonNullable<Environment['model']>): string {
  return (
    `our model, written from the source of MongoDB ${writtenFrom}. It chose the shards and put their replies together, ` +
    'also where a real engine answered the router. Steps that name a recording were checked against recordings of real ' +
    `clusters of MongoDB ${joined(recordings.map((line) => `[${line}]`))}`
  );
}

/** Every version whose recording the page names. */
function recordedVersions(record: ResultRecord): string[] {
  const named = recordingsIn(record).flatMap(({ versions, otherwise = [] }) => [...versions, ...otherwise]);
  return [...new Set([...(record.environment.model?.recordings ?? []), ...named])].sort();
}

/** Every scenario that the page names. */
function recordedScenarios(record: ResultRecord): string[] {
  return [...new Set(recordingsIn(record).map(({ scenario }) => scenario))].sort();
}

function recordingsIn({ steps }: ResultRecord): RecordingLink[] {
  return steps.flatMap(({ check }) => check?.recording ?? []);
}
