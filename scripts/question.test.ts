import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { agrees } from './question.ts';

const never = new AbortController().signal;

test.each([
  ['y\n', true],
  ['Yes\n', true],
  ['\n', false],
  ['no\n', false],
  ['yesterday\n', false],
  ['\x04', false],
])('%j: %s', async (typed, agreed) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = agrees('Go on?', { input, output, onInterrupt: () => {} }, never);
  input.write(typed);
  expect(await answer).toBe(agreed);
  expect(String(output.read())).toContain('Go on? [y/N]');
});

test('an input that ends is no yes', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = agrees('Go on?', { input, output, onInterrupt: () => {} }, never);
  input.end();
  expect(await answer).toBe(false);
});

test('Ctrl-C ends the question with the reason of the interruption', async () => {
  const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const onInterrupt = () => stop.abort(new Error('stopped by Ctrl-C'));
  const answer = agrees('Go on?', { input, output, onInterrupt }, stop.signal);
  input.write('\x03');
  await expect(answer).rejects.toThrow('stopped by Ctrl-C');
});
