/** Collations, as far as sharding looks at them: simple or not, and the full form that the server prints. */
import type { Document } from 'bson';
import { documentOf, elements, encode, field, type RawElement, text } from '../../wire/bson.ts';

/** The version of the ICU data in the server (`collation.version`). */
const ICU_VERSION = '57.1';
const DEFAULTS: Readonly<Document> = {
  locale: '',
  caseLevel: false,
  caseFirst: 'off',
  strength: 3,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
  version: ICU_VERSION,
};

/** Whether a collation is the simple one, as an absent one is. */
export function isSimple(collation: Buffer | undefined): boolean {
  return collation === undefined || text(field(collation, 'locale')) === 'simple';
}

/** A collation with every option it leaves to its default, in the server's order; `{}` for the simple one. */
export function fullCollation(collation: Buffer | undefined): Buffer {
  if (collation === undefined || isSimple(collation)) return encode({});
  const given = new Map(elements(collation).map((element) => [element.name, element]));
  return documentOf(elements(encode(DEFAULTS)).map((element): RawElement => given.get(element.name) ?? element));
}
