/** `validate` on every shard that owns a part of a collection (src/mongo/s/commands/cluster_validate_cmd.cpp). */
import { elements, field, truthy } from '../../wire/bson.ts';
import { throwIfRefused } from '../ask.ts';
import { type Call, CommandError, type CommandHandler, type Reply, type Router } from '../command.ts';
import { compose, embedded, Raw } from '../metadata/compose.ts';
import { collectionNamespace } from './namespace.ts';
import { askShards, type ShardReply } from './shard-replies.ts';

const NAMESPACE_NOT_FOUND = 26;

export const validateCommands: Readonly<Record<string, CommandHandler>> = { validate };

/** A collection is valid where every shard's part is; of an unsharded one the primary shard's whole answer is repeated. */
async function validate(call: Call, { catalog }: Router): Promise<Reply> {
  const { ns, db } = collectionNamespace(call);
  return catalog.using(ns, async () => {
    const owners = catalog.routing(ns)?.owners;
    const primary = catalog.primaryOf(db);
    if (primary === undefined) throw new CommandError(NAMESPACE_NOT_FOUND, `Database ${db} not found`);
    const replies = await askShards(owners ?? [primary], call.body, catalog);
    for (const { reply } of replies) throwIfRefused(reply);
    const raw = Object.fromEntries(replies.map(({ shard, reply }) => [shard, embedded(reply)]));
    return { body: compose({ ...(owners ? joined(replies) : whole(replies)), raw, ok: 1 }), answeredBy: 'engine' };
  });
}

function joined(replies: readonly ShardReply[]): Record<string, unknown> {
  return { valid: replies.every(({ reply }) => truthy(field(reply, 'valid'))) };
}

function whole([only]: readonly ShardReply[]): Record<string, unknown> {
  const parts = only ? elements(only.reply).filter(({ name }) => name !== 'ok') : [];
  return Object.fromEntries(parts.map(({ name, type, bytes }) => [name, new Raw({ type, bytes })]));
}
