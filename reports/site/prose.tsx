/** The little markdown of captions, reasons and words.ts as elements. Everything else stays text. */
import { type Span, spansOf } from './spans.ts';

export function Prose({ text }: { text: string }) {
  return <>{spansOf(text).map(element)}</>;
}

function element({ kind, text }: Span) {
  if (kind === 'strong') return <strong>{text}</strong>;
  return kind === 'code' ? <code>{text}</code> : text;
}

/** Where a prediction is known from: an address leads there. */
export function Source({ text }: { text: string }) {
  return /^https?:\/\/\S+$/.test(text) ? <a href={text}>{text}</a> : <Prose text={text} />;
}
