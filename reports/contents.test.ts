import { expect, test } from 'vitest';
import { CONTENTS, type Heading, pageText } from './contents.ts';

/** Anchors as GitHub makes them: what is neither letter, digit, `_`, `-` nor space goes, then each space becomes a hyphen. */
test.each([
  ['1. A unique index on `email` alone.', '1-a-unique-index-on-email-alone'],
  ['2. … and goes.', '2--and-goes'],
  ['`users`, sharded by `{ uid: 1 }`', 'users-sharded-by--uid-1-'],
  ['Its `_id` and email: "again"?', 'its-_id-and-email-again'],
  ['An _id, é and ß', 'an-_id-é-and-ß'],
  ['`x<y>`', 'xy'],
])('the anchor of %j', (text, anchor) => {
  expect(pageText(CONTENTS, { level: 2, text })).toContain(`](#${anchor})\n`);
});

test('headings of the same text have anchors of their own, and the title counts', () => {
  const headings: Heading[] = [1, 2, 3, 3].map((level) => ({ level: level as 1 | 2 | 3, text: 'Again' }));
  expect(pageText(...headings.slice(0, 1), CONTENTS, ...headings.slice(1), false, 'The end.')).toBe(`# Again

- [Again](#again-1)
  - [Again](#again-2)
  - [Again](#again-3)

## Again

### Again

### Again

The end.
`);
});

test('a heading shows its text as it is', () => {
  expect(pageText({ level: 3, text: '1. <b> and [a](b)' })).toBe('### 1. \\<b\\> and \\[a\\](b)\n');
});
