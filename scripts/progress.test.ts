import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';

const FIXTURE = new URL('./progress.fixture.ts', import.meta.url).pathname;
const ESCAPE = '\u001b';
const LINE_CLEARED = `${ESCAPE}[0K`;
const SIZED = 'stty cols 60 rows 20';

/** What a terminal is sent, by script(1) of util-linux. */
async function onTerminal(prepare: string, more: Record<string, string> = {}): Promise<string> {
  const command = `${prepare}; exec "${process.execPath}" --import tsx "${FIXTURE}"`;
  const shell = { SHELL: '/bin/sh', LC_ALL: 'C' }; // one that warns of no locale
  const env = { ...shell, TERM: 'xterm-256color', NO_COLOR: '', CI: undefined, ...more };
  const { exitCode, stdout } = await execa('script', ['-qec', command, '/dev/null'], {
    env,
    reject: false,
    stdin: 'ignore',
  });
  expect(exitCode).toBe(7);
  return stdout.replaceAll('\r', '');
}

/** Linux as script(1) of util-linux needs it; a container may come without pseudo-terminals. */
const HAS_TERMINALS = process.platform === 'linux' && existsSync('/dev/pts/ptmx');

describe.skipIf(!HAS_TERMINALS).concurrent('on a terminal', () => {
  test('a line moves while an experiment is under way; whatever ends the process, the cursor is back', async () => {
    const sent = await onTerminal(SIZED);
    expect(sent.lastIndexOf(`${ESCAPE}[?25h`)).toBeGreaterThan(sent.lastIndexOf(`${ESCAPE}[?25l`));
    const text = stripVTControlCharacters(sent);
    expect(text).toMatch(/^\S 07-an-example +\d+\.\d s\n {2}08-a-second {3}waiting\n {2}09-a-third {4}waiting/m);
    expect(sent).toContain(`${LINE_CLEARED}a word of its own\n`);
    expect(text).toMatch(/\S 07-an-example +\d+\.\d s {2}1 of 3 predictions differs: step 3\n/);
    expect(sent).toContain(`${ESCAPE}[31m1 of 3 predictions differs`);
  });

  test('no colours with NO_COLOR', async () => {
    const coloured = (await onTerminal(SIZED, { NO_COLOR: '1' })).split(ESCAPE).filter((part) => /^\[\d+m/.test(part));
    expect(coloured).toEqual([]);
  });

  test.each<[string, string, Record<string, string>]>([
    ['that is simple', SIZED, { TERM: 'dumb' }],
    ['of a CI', SIZED, { CI: 'true' }],
    ['that nobody has sized', 'stty cols 0 rows 0', {}],
  ])('nothing moves on one %s', async (_, prepare, env) => {
    expect(await onTerminal(prepare, env)).toMatch(
      /^a word of its own\n07-an-example: 1 of 3 predictions differs \(\d+\.\d s\): step 3\na word of its own$/,
    );
  });
});
