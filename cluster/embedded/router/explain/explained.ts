/** Explanations asked of shards, and what a router says of itself beside them. */
import { type Document, Double } from 'bson';
import { append, decode, documentOf, encode, rawValue, Type, without } from '../../wire/bson.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import type { RoutingTable } from '../routing.ts';
import { withShardingFilter } from './sharding-filter.ts';

/** One shard's explanation. */
export interface Explained {
  shard: string;
  /** `host:port` */
  address: string;
  reply: Document;
}

/** A command to be explained on some shards. */
export interface Question {
  shards: readonly string[];
  /** The command, as each shard would get it. */
  command: Buffer;
  verbosity: string;
  db: string;
}

/**
 * Has each shard explain its part.
 * @throws CommandError naming the first shard that refuses
 */
export async function askShards(
  { catalog }: Router,
  { shards, command, verbosity, db }: Question,
): Promise<Explained[]> {
  const body = documentOf([
    { name: 'explain', type: Type.object, bytes: without(command, GENERIC) },
    { name: 'verbosity', ...rawValue(verbosity) },
    { name: '$db', ...rawValue(db) },
  ]);
  return Promise.all(
    shards.map(async (shard) => {
      const peer = catalog.peer(shard);
      const reply = decode(await peer.send(body));
      if (Number(reply.ok) !== 1) throw refused(shard, reply);
      return { shard, address: peer.address, reply };
    }),
  );
}

/** Fields that any command may have: they stand beside a command that is explained, not in it (`wrapAsExplain`). */
const GENERIC: ReadonlySet<string> = new Set([
  '$clusterTime',
  '$db',
  '$readPreference',
  'apiDeprecationErrors',
  'apiStrict',
  'apiVersion',
  'comment',
  'explain',
  'lsid',
  'maxTimeMS',
  'readConcern',
  'stmtId',
  'stmtIds',
  'txnNumber',
  'writeConcern',
]);

function refused(shard: string, { code, errmsg }: Document): CommandError {
  return new CommandError(Number(code), `Explain command on shard ${shard} failed :: caused by :: ${errmsg}`);
}

/** A plan tree as a server's shard would show it. @param table of a sharded collection whose documents the shard has to filter */
export function planOf(plan: Document, table: RoutingTable | undefined): Document {
  return table
    ? withShardingFilter(
        plan,
        table.fields.map(({ path }) => path),
      )
    : plan;
}

/** The shard's own `serverInfo`, at its own port. */
export function serverInfoOf({ reply, address }: Explained): Document {
  return { ...reply.serverInfo, port: Number(address.slice(address.lastIndexOf(':') + 1)) };
}

/** What the router says of itself. */
export function aboutRouter(router: Router, [first]: readonly Explained[]): Document {
  const { version, gitVersion } = router.buildInfo;
  const port = Number(router.address.slice(router.address.lastIndexOf(':') + 1));
  return {
    serverInfo: { host: first?.reply.serverInfo?.host, port, version, gitVersion },
    serverParameters: first?.reply.serverParameters,
  };
}

/** The reply, which ends with the command that was explained. */
export function explainReply(fields: Document, command: Buffer, { db }: Call): Reply {
  const explained = append(without(command, GENERIC), [{ name: '$db', ...rawValue(db) }]);
  const tail = [
    { name: 'command', type: Type.object, bytes: explained },
    { name: 'ok', ...rawValue(new Double(1)) },
  ];
  return { body: append(encode(fields), tail), answeredBy: 'model' };
}
