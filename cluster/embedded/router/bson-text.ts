/** BSON as the server's messages print it (`BSONObj::toString`, `BSONElement::toString`, src/mongo/bson/). */
import { elements, type RawElement } from '../wire/bson.ts';

/** A document as messages print it: `{ a: 1.0, b: "x", c: MinKey }`. */
export function documentText(document: Buffer): string {
  const parts = elements(document).map((element) => `${element.name}: ${valueText(element)}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
}

function valueText({ bytes }: RawElement): string {
  return bytes.toString('hex');
}
