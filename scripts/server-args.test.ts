import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { InputError } from '../cluster/index.ts';
import { type ServerArgFlags, serverArgOptions, splitAsShell } from './server-args.ts';

function flagsFor(...args: string[]): ServerArgFlags {
  const program = new Command();
  for (const option of serverArgOptions()) program.addOption(option);
  return program.parse(args, { from: 'user' }).opts<ServerArgFlags>();
}

it('are none unless given, and add up', () => {
  expect(flagsFor()).toEqual({ mongodArgs: [], mongosArgs: [] });
  const given = flagsFor('--mongod-args', '--setParameter a=1', '--mongos-args=-v', '--mongod-args', '--slowms 5');
  expect(given).toEqual({ mongodArgs: ['--setParameter', 'a=1', '--slowms', '5'], mongosArgs: ['-v'] });
});

it('are refused at once where shardlab sets them', () => {
  expect(() => flagsFor('--mongod-args', '--port 1')).toThrow(InputError);
});

describe('one text is split as a shell splits it', () => {
  it.each([
    ['--setParameter a=1  --quiet', ['--setParameter', 'a=1', '--quiet']],
    [
      `--setParameter 'logComponentVerbosity={"sharding": 2}'`,
      ['--setParameter', 'logComponentVerbosity={"sharding": 2}'],
    ],
    ['--x "a b" c\\ d $HOME *.log', ['--x', 'a b', 'c d', '$HOME', '*.log']],
    ['', []],
  ])('%s', (text, words) => {
    expect(splitAsShell(text)).toEqual(words);
  });

  it.each(['--a 1; --b', '--a | b', '--a # b'])('%s is refused', (text) => {
    expect(() => splitAsShell(text)).toThrow('has a meaning for shells');
  });

  it.each([`"unclosed`, `--a 'b" c`, `--a "b\\" c`, '--a \\'])('%s is refused', (text) => {
    expect(() => splitAsShell(text)).toThrow(new InputError(`${text}: a quote or a backslash is left open`));
  });
});
