import { expect, test } from 'vitest';
import { redactor } from './redact.ts';

test.each([
  [
    'mongodb://ann:p%40ss@h1,h2/?tls=true',
    'cannot reach mongodb://ann:p%40ss@h1,h2/?tls=true',
    'cannot reach mongodb://<secret>@h1,h2/?tls=true',
  ],
  ['mongodb+srv://ann:p%40ss@h', 'refused: p@ss, p%40ss', 'refused: <secret>, <secret>'],
  ['mongodb://ann:p@s/s@h', 'bad "mongodb://ann:p@s/s@h"', 'bad "mongodb://<secret>@h"'],
  ['mongodb://ann:a.b@h', 'a.b axb', '<secret> axb'],
  ['mongodb://ann:user@h', 'users of user', 'users of <secret>'],
  ['mongodb://h/?proxyPassword=xyz&tls=true', 'xyz tls true', '<secret> tls true'],
  ['mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:t%3D1', 'AWS_SESSION_TOKEN:t=1', '<secret>'],
  ['mongodb://h', 'mongodb://h is down', 'mongodb://h is down'],
  ['mongodb://ann:%zz@h', 'at %zz', 'at <secret>'],
])('%s', (uri, text, redacted) => {
  expect(redactor(uri)(text)).toBe(redacted);
});
