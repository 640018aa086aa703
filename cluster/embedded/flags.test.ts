import { describe, expect, test } from 'vitest';
import { parseMongodFlags, parseMongosFlags } from './flags.ts';

const TRY_MONGOD = "\ntry 'mongod --help' for more information";
const TRY_MONGOS = "\ntry 'mongos --help' for more information";

describe('mongod', () => {
  test('values stand behind the flag or behind an equals sign', () => {
    const apart = parseMongodFlags(
      '--port 1 --dbpath /d --replSet rs --shardsvr --bind_ip localhost,10.0.0.1'.split(' '),
    );
    const attached = parseMongodFlags(
      '--port=1 --dbpath=/d --replSet=rs --shardsvr --bind_ip=localhost,10.0.0.1'.split(' '),
    );
    const { argv: _, ...options } = apart;
    expect(options).toEqual({
      port: 1,
      bindIp: ['127.0.0.1', '10.0.0.1'],
      dbpath: '/d',
      replSet: 'rs',
      role: 'shardsvr',
      storageEngine: 'wiredTiger',
      cacheSizeGB: undefined,
      setParameters: new Map(),
      version: false,
    });
    expect({ ...attached, argv: apart.argv }).toEqual(apart);
  });

  test.each([
    ['', 27017],
    ['--shardsvr --replSet a', 27018],
    ['--configsvr --replSet a', 27019],
  ])('without a port, `%s` listens on %i', (line, port) => {
    expect(parseMongodFlags(words(line)).port).toBe(port);
  });

  test('parameters are collected', () => {
    const line = '--setParameter a=1 --setParameter=b=x=y --wiredTigerCacheSizeGB 0.25 --noauth --nounixsocket';
    const options = parseMongodFlags(words(line));
    expect(options.setParameters).toEqual(
      new Map([
        ['a', '1'],
        ['b', 'x=y'],
      ]),
    );
    expect(options.cacheSizeGB).toBe(0.25);
  });

  test('--version needs nothing else to be right', () => {
    expect(parseMongodFlags(['--version', '--shardsvr']).version).toBe(true);
  });

  test.each([
    ['--no-such-flag', "Error parsing command line: unrecognised option '--no-such-flag'"],
    ['--no-such-flag=1', "Error parsing command line: unrecognised option '--no-such-flag'"],
    ['--configdb a/b:1', "Error parsing command line: unrecognised option '--configdb'"],
    ['-x', "Error parsing command line: unrecognised option '-x'"],
    ['word', 'Error parsing command line: too many positional options have been specified on the command line'],
    ['--port', "Error parsing command line: the required argument for option '--port' is missing"],
    ['--port abc', "Error parsing command line: the argument ('abc') for option '--port' is invalid"],
    [
      '--wiredTigerCacheSizeGB x',
      "Error parsing command line: the argument ('x') for option '--wiredTigerCacheSizeGB' is invalid",
    ],
    ['--port 1 --port 2', 'Error parsing command line:  Multiple occurrences of option "--port"'],
    ['--noauth=1', "Error parsing command line: option '--noauth' does not take any arguments"],
    ['--port 70000', 'BadValue: port 70000 is not between 0 and 65535'],
    ['--setParameter abc', 'BadValue: Illegal option assignment: "abc"'],
    ['--shardsvr --configsvr --replSet a', 'BadValue: shardsvr is not allowed when configsvr is specified'],
    [
      '--shardsvr',
      'BadValue: Cannot start a shardsvr as a standalone server. Please use the option --replSet to start the node as a replica set.',
    ],
    [
      '--configsvr',
      'BadValue: Cannot start a configsvr as a standalone server. Please use the option --replSet to start the node as a replica set.',
    ],
  ])('refuses `%s` as a real one does', (line, text) => {
    expect(() => parseMongodFlags(words(line))).toThrow(refusal(text + TRY_MONGOD));
  });
});

describe('mongos', () => {
  test('takes the config server’s replica set', () => {
    const options = parseMongosFlags(words('--configdb cfg/127.0.0.1:1,127.0.0.1:2 --port 3'));
    expect(options).toMatchObject({ port: 3, configdb: { replSet: 'cfg', hosts: ['127.0.0.1:1', '127.0.0.1:2'] } });
  });

  test('--version needs no config server', () => {
    expect(parseMongosFlags(['--version']).version).toBe(true);
  });

  test.each([
    ['', 'BadValue: error: no args for --configdb'],
    ['--configdb localhost:1234', 'BadValue: configdb supports only replica set connection string'],
    ['--configdb a/b/c', 'BadValue: configdb supports only replica set connection string'],
    ['--dbpath /d', "Error parsing command line: unrecognised option '--dbpath'"],
    ['--replSet a', "Error parsing command line: unrecognised option '--replSet'"],
  ])('refuses `%s` as a real one does', (line, text) => {
    expect(() => parseMongosFlags(words(line))).toThrow(refusal(text + TRY_MONGOS));
  });
});

function words(line: string): string[] {
  return line.split(' ').filter(Boolean);
}

function refusal(message: string): unknown {
  return expect.objectContaining({ name: 'CommandLineError', message });
}
