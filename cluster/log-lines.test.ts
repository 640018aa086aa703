import { describe, expect, it } from 'vitest';
import { LineSplitter, LogTail, saysPortTaken, saysReady } from './log-lines.ts';

const line = (severity: string, id: number, msg: string) => JSON.stringify({ s: severity, c: 'CONTROL', id, msg });

describe('LineSplitter', () => {
  const split = (...chunks: string[]) => {
    const lines: string[] = [];
    const splitter = new LineSplitter((text) => lines.push(text));
    for (const chunk of chunks) splitter.push(chunk);
    const whole = [...lines];
    splitter.end();
    return { whole, all: lines };
  };

  it('joins a line that comes in chunks and keeps what has no newline yet', () => {
    expect(split('one\ntw', 'o\r\nthr')).toEqual({ whole: ['one', 'two'], all: ['one', 'two', 'thr'] });
  });

  it('hands over an endless line in parts', () => {
    expect(split('x'.repeat(70_000)).whole).toEqual(['x'.repeat(70_000)]);
  });
});

describe('LogTail', () => {
  const tailOf = (...lines: string[]) => {
    const tail = new LogTail();
    for (const text of lines) tail.push(text);
    return tail.lastWords();
  };

  it('quotes error and fatal lines and words that are no log lines', () => {
    const fatal = line('F', 1, 'fatal');
    expect(tailOf(line('I', 2, 'info'), 'Error parsing command line', fatal, line('W', 3, 'warning'))).toEqual([
      'Error parsing command line',
      fatal,
    ]);
  });

  it('quotes the last lines where no error was reported', () => {
    const lines = [1, 2, 3, 4, 5, 6, 7].map((n) => line('I', n, 'info'));
    expect(tailOf(...lines)).toEqual(lines.slice(2));
    expect(new LogTail().errorLines()).toEqual([]);
  });

  it('shortens long lines', () => {
    expect(tailOf('e'.repeat(2000))[0]).toHaveLength(501);
  });
});

describe('what a line says', () => {
  it.each([
    [line('I', 23016, 'Waiting for connections'), true],
    ['2020-01-01T00:00:00 I  NETWORK  [listener] waiting for connections on port 27017', true],
    [line('I', 1, 'not waiting for connections'), false],
    ['{"s":"I","id":23016', false],
  ])('%s: ready %s', (text, ready) => {
    expect(saysReady(text)).toBe(ready);
  });

  it('sees a taken port', () => {
    const attr = { error: { code: 9001, codeName: 'SocketException', errmsg: 'Address already in use' } };
    expect(saysPortTaken(JSON.stringify({ s: 'E', id: 20568, msg: 'Error setting up listener', attr }))).toBe(true);
    expect(saysPortTaken(line('I', 23016, 'Waiting for connections'))).toBe(false);
  });
});
