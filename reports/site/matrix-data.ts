/** What the cells of the matrix open, for its script: each text once, because servers say much the same. */
import type { Check, Exchange, ResultRecord, StepRecord, VerdictRecord } from '../../experiments/harness/record.ts';
import { connectedTo, mongoshText } from '../mongosh.ts';
import { type ResultSet, verdictsOn } from '../sets.ts';
import { shellText } from '../shell-text.ts';
import { answeredText, capitalised, observedText } from '../words.ts';
import type { CellData, ExchangeData, MatrixData, StepData } from './matrix-format.ts';
import { verdictId } from './paths.ts';

/** How much is told. */
export type Detail = 'everything' | 'each outcome once' | 'no replies';

/**
 * @param claims their ids
 * @param sets in the order of their columns
 */
export function matrixData(claims: readonly string[], sets: readonly ResultSet[], detail: Detail): MatrixData {
  const texts = new Places<string>((text) => text);
  const steps = new Places<Told>(({ step }) => samenessOf(step, detail));
  const cells = claims.flatMap((claim) =>
    sets.flatMap((set) =>
      verdictsOn(set, claim).map(([record, verdict]): [string, CellData] => {
        const places = evidenceIn(record, verdict).map((step) => [step.number, steps.of({ step, set })] as const);
        return [verdictId(claim, set, record), [texts.of(verdict.reason), places]];
      }),
    ),
  );
  const told = steps.all.map((one) => stepData(one, detail, texts));
  return { texts: texts.all, steps: told, cells: Object.fromEntries(cells) };
}

/** A step as the first of the servers had it. */
interface Told {
  readonly step: StepRecord;
  readonly set: ResultSet;
}

/** Gives every value a place, the same to those whose keys are the same. */
class Places<T> {
  readonly all: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #keyOf: (value: T) => string;

  constructor(keyOf: (value: T) => string) {
    this.#keyOf = keyOf;
  }

  of(value: T): number {
    const key = this.#keyOf(value);
    const place = this.#places.get(key) ?? this.all.push(value) - 1;
    this.#places.set(key, place);
    return place;
  }
}

function evidenceIn({ steps }: ResultRecord, verdict: VerdictRecord): StepRecord[] {
  return steps.filter(({ number }) => verdict.steps.includes(number));
}

/** What steps must have in common to be told once. */
function samenessOf({ caption, exchanges, observed, check }: StepRecord, detail: Detail): string {
  const outcome = [observedText(observed), exchanges.map(({ command, answeredBy }) => [command, answeredBy])];
  return JSON.stringify([caption, bearing(check), ...(detail === 'everything' ? [exchanges, observed] : outcome)]);
}

function stepData({ step, set }: Told, detail: Detail, texts: Places<string>): StepData {
  const { caption, observed, check, exchanges } = step;
  return {
    caption: texts.of(caption),
    seen: texts.of(capitalised(observedText(observed))),
    bears: bearing(check),
    exchanges: detail === 'no replies' ? [] : exchanges.map((exchange) => exchangeData(exchange, texts)),
    ...(detail === 'each outcome once' && { of: set.name }),
  };
}

/** What no server answered speaks neither for a claim nor against it. */
function bearing(check: Check | undefined): StepData['bears'] {
  if (check?.shown) return 'for';
  return !check || check.result === 'not modelled' ? 'not' : 'against';
}

function exchangeData(exchange: Exchange, texts: Places<string>): ExchangeData {
  const { reply, failure, answeredBy } = exchange;
  const sent = [texts.of(`To ${connectedTo(exchange)}`), texts.of(mongoshText(exchange)), answeredBy] as const;
  if (!reply) return [...sent, texts.of(`No reply came${failure ? `: ${failure}` : '.'}`)];
  return [...sent, texts.of(capitalised(answeredText(exchange))), texts.of(shellText(reply))];
}
