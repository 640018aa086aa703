import { describe, expect, it } from 'vitest';
import { InputError } from './errors.ts';
import { checkedArgs, hasFlag, type Program, parametersIn } from './extra-args.ts';

describe('an argument that shardlab sets itself is refused, with the reason', () => {
  it.each<[Program, string[], string]>([
    ['mongod', ['--port', '27017'], '--port cannot be among the arguments of mongod: shardlab finds a free port'],
    ['mongod', ['--setParameter', 'a=1', '--dbpath=/data'], '--dbpath cannot be among the arguments of mongod'],
    ['mongod', ['-f', 'mongod.conf'], '--f cannot be among the arguments of mongod: a file could say anything'],
    ['mongod', ['--auth'], 'shardlab connects without a user and without TLS'],
    ['mongos', ['--configdb', 'cfg/host'], '--configdb cannot be among the arguments of mongos'],
    ['mongos', ['--logpath', 'x'], 'shardlab reads what the server prints'],
    ['mongos', '--slowms 5' as unknown as string[], "mongosArgs must be a list of texts: ['--setParameter', "],
  ])('%s %j', (program, args, message) => {
    expect(() => checkedArgs(program, args)).toThrow(InputError);
    expect(() => checkedArgs(program, args)).toThrow(message);
  });
});

it('any other argument is left to the server', () => {
  const args = ['--setParameter', 'port=1', '--slowms', '5', '--constructor', '--configdb'];
  expect(checkedArgs('mongod', args)).toBe(args);
});

it('parameters are seen in every way of writing them', () => {
  const args = ['--setParameter', 'a=1', '--slowms', 'b=2', '--setParameter=c=x=y', 'd=4', '-setParameter', 'e=5'];
  expect(parametersIn(args)).toEqual(['a', 'c', 'e']);
});

it('a flag is seen with its value beside it and in one', () => {
  expect(hasFlag(['--wiredTigerCacheSizeGB=1'], 'wiredTigerCacheSizeGB')).toBe(true);
  expect(hasFlag(['x', '--slowms', '5'], 'slowms')).toBe(true);
  expect(hasFlag(['--slowmsX', 'slowms'], 'slowms')).toBe(false);
});
