/** `--mongod-args` and `--mongos-args`: what a user tells the servers beside what shardlab tells them. */
import { Option } from 'commander';
import { parse } from 'shell-quote';
import { checkedArgs, type Program } from '../cluster/extra-args.ts';
import { InputError } from '../cluster/index.ts';

/** What the options of this file make of the command line. */
export interface ServerArgFlags {
  mongodArgs: readonly string[];
  mongosArgs: readonly string[];
}

/** Either may be given several times. */
export function serverArgOptions(): Option[] {
  return [optionFor('mongod', 'every mongod'), optionFor('mongos', 'the mongos')];
}

function optionFor(program: Program, whom: string): Option {
  const what = `more arguments for ${whom}, quoted as one: "--setParameter <name>=<value>"`;
  return new Option(`--${program}-args <arguments>`, what)
    .default([], 'none')
    .argParser((text, before: readonly string[]) => [...before, ...checkedArgs(program, splitAsShell(text))]);
}

/**
 * Words as a shell splits them, with its quotes; nothing in them is replaced.
 * @throws InputError for what a shell would not take as a word
 */
export function splitAsShell(text: string): string[] {
  if (!CLOSED.test(text)) throw new InputError(`${text}: a quote or a backslash is left open`);
  return parse(text, (name) => `$${name}`).map((token) => {
    if (typeof token === 'string') return token;
    if ('pattern' in token) return token.pattern;
    const what = 'op' in token ? token.op : '#';
    throw new InputError(`${text}: ${what} has a meaning for shells; put it in quotes`);
  });
}

/** Plain characters, escaped ones, and quoted words, to the end. */
const CLOSED = /^([^'"\\]|\\.|'[^']*'|"([^"\\]|\\.)*")*$/s;
