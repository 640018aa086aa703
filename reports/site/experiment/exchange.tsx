/** Commands and their replies, coloured. */
import type { AnsweredBy, Exchange } from '../../../experiments/harness/record.ts';
import { connectedTo, mongoshText } from '../../mongosh.ts';
import { replyOutcome } from '../../reply-outcome.ts';
import { shellText } from '../../shell-text.ts';
import { answerer, capitalised, plural } from '../../words.ts';
import { Markup } from '../markup.tsx';
import { highlighted } from './highlight.ts';

/** Those of one step; many long ones are not shown to the end, and it is said. */
export function Exchanges({ exchanges }: { exchanges: readonly Exchange[] }) {
  let taken = 0;
  const shown = exchanges.map(texts).filter(({ command, answer }) => {
    const fits = taken < LONGEST_STEP;
    taken += Math.min(command.length, LONGEST_TEXT) + Math.min(answer.length, LONGEST_TEXT);
    return fits;
  });
  return (
    <>
      {shown.map((one) => (
        <ExchangeText {...one} />
      ))}
      {shown.length < exchanges.length && (
        <p class="omitted">… and {plural(exchanges.length - shown.length, 'command')} more, which the record has.</p>
      )}
    </>
  );
}

/** Characters of a command or a reply, and of all of a step. */
const [LONGEST_TEXT, LONGEST_STEP] = [8_000, 24_000];

interface Texts {
  readonly exchange: Exchange;
  readonly command: string;
  readonly answer: string;
}

function texts(exchange: Exchange): Texts {
  const { reply } = exchange;
  return { exchange, command: mongoshText(exchange), answer: reply ? shellText(reply) : '' };
}

function ExchangeText({ exchange, command, answer }: Texts) {
  return (
    <div class="exchange">
      <p class="to">To {connectedTo(exchange)}</p>
      <Code text={command} />
      <div class={`answer by-${exchange.answeredBy}`}>
        {exchange.reply ? <Answer {...{ ...exchange, text: answer }} /> : <NoAnswer {...exchange} />}
      </div>
    </div>
  );
}

function NoAnswer({ failure }: Exchange) {
  return (
    <p class="who">
      No reply came
      {failure ? (
        <>
          : <code>{failure}</code>
        </>
      ) : (
        '.'
      )}
    </p>
  );
}

function Answer({ reply, isExcerpt, answeredBy, text }: Exchange & { text: string }) {
  const lines = text.split('\n').length;
  const who = (
    <>
      <Who by={answeredBy} /> answered{isExcerpt && ', among other things'}
    </>
  );
  if (lines <= LONG)
    return (
      <>
        <p class="who">{who}</p>
        <Code text={text} />
      </>
    );
  return (
    <details>
      <summary class="who">
        {who}: {replyOutcome(reply ?? {})} ({lines} lines)
      </summary>
      <Code text={text} />
    </details>
  );
}

/** More lines than these are folded. */
const LONG = 24;

function Who({ by }: { by: AnsweredBy }) {
  return <strong>{capitalised(answerer(by))}</strong>;
}

/** Its lines are wrapped, so that nobody has to scroll sideways in it. */
function Code({ text }: { text: string }) {
  return (
    <>
      <pre>
        <Markup tag="code" html={highlighted(text.slice(0, LONGEST_TEXT))} />
      </pre>
      {text.length > LONGEST_TEXT && (
        <p class="omitted">… and {plural(text.length - LONGEST_TEXT, 'character')} more, which the record has.</p>
      )}
    </>
  );
}
