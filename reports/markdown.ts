/** One page per experiment: a pure function of its result record. */
import { markdownTable } from 'markdown-table';
import type {
  Check,
  Environment,
  Exchange,
  JsonObject,
  RecordingLink,
  ResultRecord,
  StepRecord,
} from '../experiments/harness/record.ts';
import { placementText } from './placement.ts';
import { shellText } from './shell-text.ts';
import { otherRecordingText, recordingTargets, recordingText, verdictTable } from './verdicts.ts';
import {
  answerer,
  answerers,
  capitalised,
  checkText,
  code,
  endingText,
  joined,
  observedText,
  paragraphs,
  proseTable,
} from './words.ts';

/**
 * The page of one experiment on one server.
 * @param root path from the page to this repository, `../../..`; undefined for a page outside of it, which links to nothing in it
 */
export function experimentPage(record: ResultRecord, root?: string): string {
  const { experiment, environment, ended, verdicts, steps, placement } = record;
  const told = (section: StepRecord['section']) =>
    steps.filter((step) => step.section === section).map((step) => stepText(step, environment));
  const instead = told('instead');
  const page = paragraphs(
    `# ${String(experiment.number).padStart(2, '0')} · ${experiment.title}`,
    experiment.question,
    environmentTable(environment),
    endingText(ended),
    verdicts.length > 0 && `## Verdicts\n\n${verdictTable(verdicts)}`,
    '## Steps',
    experiment.sources.length > 0 && `The predictions come from ${joined(experiment.sources.map(linked))}.`,
    ...told('story'),
    instead.length > 0 && '## What works instead',
    ...instead,
    ...placementText(placement, environment.shards),
    FOOTNOTE,
    recordingTargets(recordedVersions(record), recordedScenarios(record), root),
  );
  return `${page}\n`;
}

const FOOTNOTE = `---

Commands and replies are shown as they went over the wire, except for what drivers and servers add for themselves (\`lsid\`,
\`txnNumber\`, \`$clusterTime\`, \`operationTime\` and the like). Values that every run makes anew are shown as placeholders
like \`<ObjectId 1>\`, numbered by first appearance. Steps of recordings count from 0.`;

function environmentTable(environment: Environment): string {
  const { version, gitVersion, featureCompatibilityVersion: fcv, distribution, shards, model } = environment;
  return proseTable([
    ['MongoDB', gitVersion === NO_GIT_VERSION ? version : `${version} (git ${code(gitVersion)})`],
    ...(fcv ? [['feature compatibility version', fcv]] : []),
    ['distribution', distribution],
    ['shards', `${shards.map(code).join(', ')}; primary shard of the scratch database: ${code(shards[0] ?? '')}`],
    ['sharding layer', model ? modelText(model) : 'real servers'],
  ]);
}

/** What a server says that was not built from a checkout. */
const NO_GIT_VERSION = 'nogitversion';

function modelText({ writtenFrom, recordings }: NonNullable<Environment['model']>): string {
  return (
    `our model, written from the source of MongoDB ${writtenFrom}. It chose the shards and put their replies together, ` +
    'also where a real engine answered the router. Steps that name a recording were checked against recordings of real ' +
    `clusters of MongoDB ${joined(recordings.map((line) => `[${line}]`))}`
  );
}

function linked(source: string): string {
  return /^https?:\/\//.test(source) ? `<${source}>` : source;
}

function stepText(step: StepRecord, environment: Environment): string {
  const { number, caption, exchanges, observed } = step;
  return paragraphs(
    `### ${number}. ${caption}`,
    ...exchanges.map(exchangeText),
    observed.race && `${capitalised(observedText(observed))}; answered by ${answerers(step)}.`,
    observed.error !== undefined &&
      exchanges.every(({ failure }) => !failure) &&
      `It ended with ${code(observed.error)}`,
    observed.counts && markdownTable([[...environment.shards], observed.counts.map(String)]),
    checkLine(step),
  );
}

function exchangeText({ to, database, command, reply, failure, isExcerpt, answeredBy }: Exchange): string {
  const addressee = to === 'router' ? 'the router' : `shard ${code(to)}`;
  const answer = reply
    ? `${capitalised(answerer(answeredBy))} answered${isExcerpt ? ', among other things' : ''}:\n\n${codeBlock(reply)}`
    : `No reply came${failure ? `: ${code(failure)}` : '.'}`;
  return paragraphs(`To ${addressee}, database ${code(database)}:`, codeBlock(command), answer);
}

function codeBlock(document: JsonObject): string {
  return `\`\`\`js\n${shellText(document)}\n\`\`\``;
}

function checkLine({ check, observed }: StepRecord): string | undefined {
  if (!check) return undefined;
  const parts = [
    checkText(check, observed),
    check.source && `known from ${linked(check.source)}`,
    check.claims.length > 0 && `evidence ${isAgainst(check) ? 'against' : 'for'} ${joined(check.claims)}`,
    check.recording && check.recording.versions.length > 0 && `recorded: ${recordingText(check.recording)}`,
    check.recording?.otherwise && `recorded otherwise: ${otherRecordingText(check.recording)}`,
  ];
  return `> ${capitalised(parts.filter(Boolean).join(' · '))}`;
}

/** What no server answered speaks neither for a claim nor against it; such a step only says what it is there for. */
function isAgainst({ shown, result }: Check): boolean {
  return !shown && result !== 'not modelled';
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
