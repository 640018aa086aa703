/** A question to whoever sits at the terminal. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Where it is asked. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  /** Told of Ctrl-C, which is a key like any other while a question is open. */
  readonly onInterrupt: () => void;
}

/**
 * @returns whether the answer was yes; Enter, Ctrl-D and a closed input are none
 * @throws the reason of `stopped`
 */
export async function agrees(question: string, terminal: Terminal, stopped: AbortSignal): Promise<boolean> {
  const { input, output, onInterrupt } = terminal;
  const lines = createInterface({ input, output, terminal: true }).on('SIGINT', onInterrupt);
  const over = new AbortController();
  const signal = AbortSignal.any([stopped, over.signal]);
  try {
    const closed = once(lines, 'close', { signal }).then(() => '');
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    stopped.throwIfAborted();
    if ((error as Error).name === 'AbortError') return false; // Ctrl-D
    throw error;
  } finally {
    over.abort();
    lines.close();
  }
}
