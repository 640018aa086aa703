import type { WriteStream } from 'node:tty';
import { afterEach, expect, test, vi } from 'vitest';
import { screenOf } from './terminal.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['a terminal', true, {}, true],
  ['a simple terminal', true, { TERM: 'dumb' }, false],
  ['a terminal without colours', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ['a terminal whose colours are switched off', true, { FORCE_COLOR: '0' }, false],
  ['a pipe', undefined, { CI: '1' }, false],
  ['a pipe that wants colours', undefined, { FORCE_COLOR: '1' }, true],
])('%s', (_, isTTY, env, isColoured) => {
  for (const [name, value] of Object.entries({ TERM: 'xterm', NO_COLOR: '', FORCE_COLOR: '', ...env }))
    vi.stubEnv(name, value);
  const { colors } = screenOf({ isTTY, columns: 80 } as unknown as WriteStream);
  expect(colors.red('a') !== 'a').toBe(isColoured);
});
