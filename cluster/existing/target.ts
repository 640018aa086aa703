/** What a connection string means, before anything is connected to. */
import { BlockList, isIP } from 'node:net';
import { MongoClient } from 'mongodb';
import { InputError } from '../errors.ts';
import { redactor } from './redact.ts';

/** A cluster that somebody else runs. */
export interface Target {
  readonly uri: string;
  /** `host:port` each, or the one name that DNS has the hosts of. */
  readonly hosts: readonly string[];
  /** Nothing leaves this machine. */
  readonly isLoopback: boolean;
  /** Takes secrets of `uri` out of a text. */
  readonly redact: (text: string) => string;
}

/** @throws InputError when the driver does not understand it, or it asks for one server alone */
export function targetOf(uri: string): Target {
  const redact = redactor(uri);
  const { hosts, srvHost } = optionsOf(uri, redact);
  const names = srvHost ? [srvHost] : hosts.map(String);
  return { uri, hosts: names, isLoopback: !srvHost && hosts.every(({ host }) => isLoopback(host ?? '')), redact };
}

function optionsOf(uri: string, redact: Target['redact']): MongoClient['options'] {
  try {
    return new MongoClient(uri).options; // which connects to nothing
  } catch (error) {
    throw new InputError(`--uri is not understood: ${redact((error as Error).message)}`);
  }
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const family = isIP(host);
  return family !== 0 && LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
