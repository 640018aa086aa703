/** One command on several shards, and their replies as one (`appendRawResponses`, src/mongo/db/router_role/cluster_commands_helpers.cpp). */
import type { Document } from 'bson';
import { decode, encode } from '../../wire/bson.ts';
import { all } from '../all.ts';
import type { Catalog } from '../catalog.ts';
import type { AnsweredBy, Reply } from '../command.ts';
import { isOk } from '../pass-through.ts';

/** What one shard answered, or the router in its place. */
export interface ShardReply {
  shard: string;
  reply: Buffer;
  answeredBy: AnsweredBy;
}

/**
 * The shards' replies as a mongos gives them: a single one as it is; of several each under its shard's connection string in `raw`,
 * and the first error's code and text at the top, word for word.
 */
export function joinReplies(replies: readonly ShardReply[], catalog: Catalog): Reply {
  const [only] = replies;
  const answeredBy = replies.every((one) => one.answeredBy === 'engine') ? 'engine' : 'model';
  if (only && replies.length === 1) return { body: only.reply, answeredBy };
  const hosts = new Map(catalog.shards().map(({ id, host }) => [id, host]));
  const raw = Object.fromEntries(replies.map(({ shard, reply }) => [hosts.get(shard) ?? shard, decode(reply)]));
  const failed = replies.find(({ reply }) => !isOk(reply));
  return { body: encode({ raw, ...(failed ? errorOf(failed) : { ok: 1 }) }), answeredBy };
}

function errorOf({ reply }: ShardReply): Document {
  const { ok: _, ...error } = decode(reply);
  return { ok: 0, ...error };
}

/** Sends one command to several shards at once. */
export function askShards(shards: readonly string[], body: Buffer, catalog: Catalog): Promise<ShardReply[]> {
  return all(
    shards.map(async (shard) => ({
      shard,
      reply: await catalog.peer(shard).send(body),
      answeredBy: 'engine' as const,
    })),
  );
}
