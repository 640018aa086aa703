/** One step of an experiment: what was sent, what came back, what it changed, how the prediction fared. */
import type { Environment, Exchange, StepRecord } from '../experiments/harness/record.ts';
import type { Diagram } from './diagram.tsx';
import { htmlText, inlineText } from './inline-text.ts';
import { mongoshText } from './mongosh.ts';
import { replyOutcome } from './reply-outcome.ts';
import { shellText } from './shell-text.ts';
import { otherRecordingText, recordingText } from './verdicts.ts';
import {
  alignedTable,
  answeredText,
  answerers,
  capitalised,
  checkText,
  code,
  codeBlock,
  evidenceText,
  joined,
  observedText,
  paragraphs,
} from './words.ts';

/** @param diagram what it changed, as a picture with a path from the page */
export function stepText(step: StepRecord, { shards }: Environment, diagram?: Diagram & { path: string }): string {
  const { exchanges, observed } = step;
  return paragraphs(
    ...exchanges.map(exchangeText),
    observed.race && `${capitalised(observedText(observed))}; answered by ${answerers(step)}.`,
    observed.race && chanceText(step),
    observed.error !== undefined &&
      exchanges.every(({ failure }) => !failure) &&
      `It ended with ${code(observed.error)}`,
    observed.counts && alignedTable([shards.map(code), observed.counts.map(String)]),
    diagram && `![${inlineText(diagram.alt)}](${diagram.path})`,
    checkLine(step),
  );
}

/** No picture shows what was not recorded. */
function chanceText({ state = [] }: StepRecord): string | false {
  const raced = state.filter(({ shards }) => shards.some(({ count }) => count === undefined));
  const names = joined(raced.map(({ collection }) => code(collection)));
  return raced.length > 0 && `Which documents there are in ${names} is left to chance, and not recorded.`;
}

function exchangeText(exchange: Exchange): string {
  const { to, failure, reply } = exchange;
  const addressee = to === 'router' ? 'the router' : `shard ${code(to)}`;
  const answer = reply ? replyText(exchange, reply) : `No reply came${failure ? `: ${code(failure)}` : '.'}`;
  return paragraphs(`To ${addressee}:`, codeBlock(mongoshText(exchange), 'js'), answer);
}

/** An error with its key fits in; what is longer is folded, and the fold says what it comes to. */
const LONGEST_REPLY = 14;

function replyText(exchange: Exchange, reply: NonNullable<Exchange['reply']>): string {
  const who = capitalised(answeredText(exchange));
  const text = shellText(reply);
  const lines = text.split('\n').length;
  if (lines <= LONGEST_REPLY) return paragraphs(`${who}:`, codeBlock(text, 'js'));
  const summary = `${htmlText(`${who}: ${replyOutcome(reply)}`)} (${lines} lines)`;
  return paragraphs(`<details><summary>${summary}</summary>`, codeBlock(text, 'js'), '</details>');
}

function checkLine({ check, observed }: StepRecord): string | undefined {
  if (!check) return undefined;
  const parts = [
    checkText(check, observed),
    check.source && `known from ${sourceText(check.source)}`,
    check.claims.length > 0 && evidenceText(check),
    check.recording && check.recording.versions.length > 0 && `recorded: ${recordingText(check.recording)}`,
    check.recording?.otherwise && `recorded otherwise: ${otherRecordingText(check.recording)}`,
  ];
  return `> ${capitalised(parts.filter(Boolean).join(' · '))}`;
}

/** Where a prediction is known from; an address is a link. */
export function sourceText(source: string): string {
  return /^https?:\/\/[^\s<>]+$/.test(source) ? `<${source}>` : inlineText(source);
}
