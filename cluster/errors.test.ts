import { expect, it } from 'vitest';
import { failureText, MemberDiedError } from './errors.ts';

it('says which member ended how, what was awaited and for how long, in the server’s own words', () => {
  const failure = { member: 'sh0', awaited: 'readiness for connections', ms: 340, serverLines: ['{"s":"E"}', 'bye'] };
  expect(failureText({ ...failure, ending: 'exited with code 48' })).toMatchInlineSnapshot(`
    "The cluster did not start: sh0 exited with code 48 after 0.3 s, while readiness for connections was awaited
      | {"s":"E"}
      | bye"
  `);
  expect(failureText({ ...failure, ms: 60_000, serverLines: [] })).toMatchInlineSnapshot(
    `"The cluster did not start: sh0: readiness for connections was awaited for 60.0 s, until the time to start was up"`,
  );
});

it('says how a member of a running cluster ended', () => {
  expect(new MemberDiedError('sh1', 'was killed by SIGKILL', ['last line']).message).toMatchInlineSnapshot(`
    "sh1 was killed by SIGKILL while the cluster was running
      | last line"
  `);
});
