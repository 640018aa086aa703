/** The little markdown of captions, reasons and words.ts as elements: code and emphasis. Everything else stays text. */

const SPAN = /(``.+?``(?!`)|`[^`]+`|\*\*[^*]+\*\*)/s;

export function Prose({ text }: { text: string }) {
  return <>{text.split(SPAN).map((part, i) => (i % 2 === 1 ? span(part) : part))}</>; // every other part is one that SPAN captured
}

function span(part: string) {
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  if (part.startsWith('``')) return <code>{part.slice(2, -2).replace(/^ (?=`)|(?<=`) $/g, '')}</code>;
  return <code>{part.slice(1, -1)}</code>;
}

/** Where a prediction is known from: an address leads there. */
export function Source({ text }: { text: string }) {
  return /^https?:\/\/\S+$/.test(text) ? <a href={text}>{text}</a> : <Prose text={text} />;
}
