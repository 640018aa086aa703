/** `findAndModify` (src/mongo/s/commands/query_cmd/cluster_find_and_modify_cmd.cpp). */
import { append, decodePlain, elements, field, number, rawValue, Type, text, truthy } from '../../wire/bson.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { passThrough } from '../pass-through.ts';
import { documentField } from '../read/documents.ts';
import { accepted } from '../refused.ts';
import type { RoutingTable } from '../routing.ts';
import type { History } from '../sessions.ts';
import { bestFirst } from './any.ts';
import { insertWhereItBelongs } from './insert-new.ts';
import { Outcome } from './outcome.ts';
import { pick, selectionOf } from './pick.ts';
import { putChanged } from './put-changed.ts';
import { scratchFindAndModify, tryOut } from './scratch.ts';
import type { Result, Write } from './shards.ts';
import { type Statement, withoutUpsert } from './statement.ts';
import { type Target, targetOfMatch, targetOfUpdate } from './target.ts';

/** What its options have in common with those of the writes that it becomes. */
const SHARED: ReadonlySet<string> = new Set([
  'let',
  'writeConcern',
  'bypassDocumentValidation',
  'maxTimeMS',
  'comment',
]);

export async function findAndModify(call: Call, router: Router): Promise<Reply> {
  const collection = text(field(call.body, call.name));
  if (collection === undefined || router.catalog.primaryOf(call.db) === 'config') return passThrough(call, router);
  return router.retries.run(call, async (history) => {
    const before = history?.recall(0);
    if (history && before && 'reply' in before) return again(before.reply, history.stmtId(0));
    const reply = await perform(writeOf(collection, call, router, history));
    if (number(field(reply.body, 'ok')) === 1) history?.remember([0], { reply: reply.body });
    return reply;
  });
}

function again(reply: Buffer, stmtId: number): Reply {
  return { body: append(reply, [{ name: 'retriedStmtId', ...rawValue(stmtId) }]), answeredBy: 'model' };
}

interface FindAndModify extends Write {
  whole: Call;
}

function writeOf(
  collection: string,
  call: Call,
  { metadata: catalog }: Router,
  history: History | undefined,
): FindAndModify {
  const { db, body } = call;
  const shared = elements(body).filter(({ name }) => SHARED.has(name));
  const command = {
    kind: 'update',
    db,
    collection,
    ns: `${db}.${collection}`,
    ordered: true,
    statements: [body],
    shared,
  } as const;
  return { whole: call, size: 1, operation: 'findAndModify', command, catalog, history, outcome: new Outcome() };
}

async function perform(write: FindAndModify): Promise<Reply> {
  const { catalog, command } = write;
  const reply = await catalog.using(command.ns, () => performShared(write));
  return reply ?? catalog.changing(command.ns, () => performAlone(write));
}

/** Does what can be done beside other work; `undefined` when it has to be alone. */
async function performShared(write: FindAndModify): Promise<Reply | undefined> {
  const { catalog, command, whole } = write;
  const table = catalog.routing(command.ns);
  if (!table) return pass(await catalog.ensureDatabase(command.db), write);
  const statement = statementOf(whole.body);
  const target = targetOf(statement, table);
  switch (target.way) {
    case 'shard':
      return pass(target.shard, write);
    case 'alone':
      return undefined;
    default: // by `_id` too exactly one document
      return changeAny({ shards: target.shards, statement }, table, write);
  }
}

function statementOf(body: Buffer): Statement {
  const u = truthy(field(body, 'remove')) ? undefined : field(body, 'update');
  return {
    bytes: body,
    q: documentField(body, 'query'),
    ...(u && { u }),
    multi: false,
    upsert: truthy(field(body, 'upsert')),
    collation: field(body, 'collation')?.bytes,
  };
}

function targetOf(statement: Statement, table: RoutingTable): Target {
  const { bytes, u } = statement;
  if (truthy(field(bytes, 'remove'))) return targetOfMatch(statement, table);
  const isUpdate = u?.type === Type.object || u?.type === Type.array;
  return isUpdate ? targetOfUpdate(statement, table) : { way: 'shard', shard: table.owners[0] as string }; // which refuses it
}

async function pass(shard: string, { whole, catalog }: FindAndModify): Promise<Reply> {
  return { body: await catalog.peer(shard).send(whole.body, whole.sequences), answeredBy: 'engine' };
}

interface Asked {
  shards: readonly string[];
  statement: Statement;
}

/** One match of whichever shard has one; an upsert inserts where there is none. */
async function changeAny({ shards, statement }: Asked, table: RoutingTable, write: Write): Promise<Reply> {
  const sent = withoutUpsert(statement);
  let reply: Buffer | undefined;
  for (const shard of await bestFirst(shards, statement, write)) {
    reply = accepted(await write.catalog.peer(shard).send(sent));
    if (hasFound(reply)) return { body: reply, answeredBy: 'model' };
  }
  if (!reply || statement.upsert) return insertNew({ shards, statement }, table, write);
  return { body: reply, answeredBy: 'model' };
}

function hasFound(reply: Buffer): boolean {
  return (number(field(documentField(reply, 'lastErrorObject'), 'n')) ?? 0) > 0;
}

/** The reply is that of the engine which made the document. */
async function insertNew({ shards, statement }: Asked, table: RoutingTable, write: Write): Promise<Reply> {
  const peer = write.catalog.peer(shards[0] as string);
  const { reply, documents } = await tryOut(peer, [], scratchFindAndModify(statement.bytes, true));
  if (documents[0]) throwError(await insertWhereItBelongs(documents[0], { index: 0, shards }, table, write));
  return { body: reply, answeredBy: 'model' };
}

/** With the collection to itself: what the update would do is found out first. */
async function performAlone(write: FindAndModify): Promise<Reply> {
  const { catalog, command, whole } = write;
  const table = catalog.routing(command.ns);
  if (!table) return pass(await catalog.ensureDatabase(command.db), write);
  const statement = statementOf(whole.body);
  const { shards } = table.targets(statement.q, statement.collation);
  const found = await pick(catalog, shards, selectionOf(command, statement));
  if (!found) return changeAny({ shards, statement }, table, write);
  const trial = await tryOut(catalog.peer(found.shard), [found.document], scratchFindAndModify(whole.body, false));
  const [after] = trial.documents;
  const isInTransaction = shards.length > 1;
  if (after) throwError(await putChanged({ index: 0, ...found, after, isInTransaction }, table, write));
  return { body: trial.reply, answeredBy: 'model' };
}

/** A write error of a part is this command's error. */
function throwError({ errors }: Result): void {
  const [first] = errors;
  if (!first) return;
  const { index: _, code, errmsg, ...extra } = decodePlain(first.bytes);
  throw new CommandError(code, errmsg, extra);
}
