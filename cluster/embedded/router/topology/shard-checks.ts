/** What a server must be to become a shard (`validateHostAsShard`, src/mongo/db/topology/topology_change_helpers.cpp). */
import type { Document } from 'bson';
import { decodePlain, encode } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { ask, askRaw } from '../ask.ts';
import { documentText } from '../bson-text.ts';
import { CommandError } from '../command.ts';
import { type ConnectionString, connectionText } from './connection-string.ts';

const ILLEGAL_OPERATION = 20;
const OPERATION_FAILED = 96;
const NOT_WRITABLE_PRIMARY = 10107;
const WITHOUT_SHARDSVR = 50876;

/**
 * Asks the first host of `target` who it is.
 * @returns its `hello` reply
 * @throws CommandError 20, 96, 10107 or 50876 when it cannot be a shard
 */
export async function checkHost(peer: Peer, target: ConnectionString): Promise<Document> {
  const reply = await askRaw(peer, encode({ hello: 1, $db: 'admin' }));
  const hello = decodePlain(reply);
  checkHello(hello, documentText(reply), target);
  const { parsed } = await ask(peer, 'admin', { getCmdLineOpts: 1 });
  if (parsed?.sharding?.clusterRole !== 'shardsvr') {
    throw new CommandError(WITHOUT_SHARDSVR, 'Cannot run addShard on a node started without --shardsvr');
  }
  return hello;
}

/**
 * The part of the checks that needs nothing but the host's `hello` reply.
 * @param printed the reply as messages print it
 * @throws CommandError 20, 96 or 10107
 */
export function checkHello(hello: Document, printed: string, target: ConnectionString): void {
  const written = connectionText(target);
  const failed = (text: string): CommandError => new CommandError(OPERATION_FAILED, text);
  if (hello.msg === 'isdbgrid') throw new CommandError(ILLEGAL_OPERATION, 'cannot add a mongos as a shard');
  if (!hello.isWritablePrimary) {
    throw new CommandError(
      NOT_WRITABLE_PRIMARY,
      `${written} does not have a master. If this is a replica set, ensure that it has a healthy primary and that the set has been properly initiated.`,
    );
  }
  const { setName: provided } = target;
  const found = hello.setName ?? '';
  if (provided === '' && found !== '') {
    throw failed(`host is part of set ${found}; use replica set url format <setname>/<server1>,<server2>, ...`);
  }
  if (provided !== '' && found === '') {
    throw failed(`host did not return a set name; is the replica set still initializing? ${printed}`);
  }
  if (provided !== found) {
    throw failed(`the provided connection string (${written}) does not match the actual set name ${found}`);
  }
  if ('configsvr' in hello) throw failed(`Cannot add ${written} as a shard since it is a config server`);
  const members: string[] = [...(hello.hosts ?? []), ...(hello.passives ?? []), ...(hello.arbiters ?? [])];
  const stranger = target.hosts.find((host) => provided !== '' && !members.includes(host));
  if (stranger !== undefined) {
    throw failed(`in seed list ${written}, host ${stranger} does not belong to replica set ${found}; found ${printed}`);
  }
}
