/** A command and its reply, coloured. */
import type { AnsweredBy, Exchange } from '../../experiments/harness/record.ts';
import { connectedTo, mongoshText } from '../mongosh.ts';
import { shellText } from '../shell-text.ts';
import { answerer, capitalised } from '../words.ts';
import { highlighted } from './highlight.ts';
import { Markup } from './markup.tsx';

export function ExchangeText({ exchange }: { exchange: Exchange }) {
  return (
    <div class="exchange">
      <p class="to">To {connectedTo(exchange)}</p>
      <Code text={mongoshText(exchange)} />
      <div class={`answer by-${exchange.answeredBy}`}>
        <Answer {...exchange} />
      </div>
    </div>
  );
}

function Answer({ reply, failure, isExcerpt, answeredBy }: Exchange) {
  if (!reply)
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
  const text = shellText(reply);
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
        {who}, in {lines} lines
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
    <pre>
      <Markup tag="code" html={highlighted(text)} />
    </pre>
  );
}
