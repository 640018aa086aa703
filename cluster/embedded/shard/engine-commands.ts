/** The commands that the engine answers, and what is taken off a command before it goes there. */
import { notModelled } from '../not-modelled.ts';
import { CommandError, type Reply } from '../router/command.ts';
import { field, isNestedDeeper, number, splitDocuments, text, truthy, without } from '../wire/bson.ts';
import type { Request } from '../wire/message.ts';
import type { Command, Mongod } from './context.ts';
import { runInParts } from './oversize.ts';

/** Commands that show or end others: they must not queue behind those. */
const OVERSIGHT_COMMANDS: ReadonlySet<string> = new Set([
  'currentOp',
  'fsyncUnlock',
  'killCursors',
  'killOp',
  'lockInfo',
  'serverStatus',
]);

/** Nothing else reaches the engine: it dies with SIGSEGV on some of the commands it lists. */
export const ENGINE_COMMANDS: ReadonlySet<string> = new Set([
  ...OVERSIGHT_COMMANDS,
  'aggregate',
  'analyze',
  'bulkWrite',
  'collStats',
  'collstats',
  'count',
  'create',
  'createIndexes',
  'dataSize',
  'datasize',
  'dbStats',
  'dbstats',
  'delete',
  'deleteIndexes',
  'distinct',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'explain',
  'find',
  'findAndModify',
  'findandmodify',
  'fsync',
  'getMore',
  'getParameter',
  'insert',
  'listCollections',
  'listCommands',
  'listDatabases',
  'listIndexes',
  'planCacheClear',
  'planCacheClearFilters',
  'planCacheListFilters',
  'planCacheSetFilter',
  'reIndex',
  'renameCollection',
  'setParameter',
  'update',
  'validate',
  'validateDBMetadata',
]);

/** The engine refuses a command with any of these (50891), or checks them against clocks it does not keep. */
const SESSION_FIELDS: ReadonlySet<string> = new Set(['lsid', 'txnNumber', 'stmtId', 'stmtIds', '$clusterTime']);

/** What the one member of a set may be asked to agree to, and the engine, which has no set, would refuse. */
const MEMBER_FIELDS: ReadonlySet<string> = new Set([...SESSION_FIELDS, 'commitQuorum']);

/** `BSONDepth::kDefaultMaxAllowableDepth` (src/mongo/bson/bson_depth.h). Beyond 1,000 the engine's reader overflows its stack. */
const MAX_DEPTH = 200;
/** Shorter documents cannot be nested that deeply. */
const DEEP_BYTES = MAX_DEPTH * 7;
const OVERFLOW = 15;
const ILLEGAL_OPERATION = 20;

/** Refusals of the engine that are its own, for want of replication, sessions or scripting: a server in its place would do these. */
const OWN_REFUSALS: ReadonlyArray<{ words: RegExp; what: string }> = [
  { words: /^The \$changeStream stage is only supported on replica sets/, what: 'a change stream' },
  { words: /missing a LogicalSessionCache/, what: 'a list of sessions' },
  { words: /not supported on a standalone mongod/, what: '$listSampledQueries' },
  { words: /globalScriptEngine|without the javascript engine enabled/, what: 'server-side JavaScript' },
  { words: /^cannot use 'w' > 1 when a host is not replicated/, what: 'a write concern of more than one member' },
];

/**
 * Runs a command on the engine.
 * @throws CommandError not modelled, 15 or 20
 */
export async function askEngine(command: Command, mongod: Mongod): Promise<Reply> {
  const { name, request } = command;
  if (isInTransaction(request)) throw notModelled('a multi-document transaction');
  if (dropsLocal(command, mongod)) {
    throw new CommandError(ILLEGAL_OPERATION, "Cannot drop 'local' database while replication is active");
  }
  checkDepth(request);
  const body = without(request.body, waitsForItself(request, mongod) ? MEMBER_FIELDS : SESSION_FIELDS);
  const { engine, cursors } = mongod;
  const reply = OVERSIGHT_COMMANDS.has(name)
    ? await engine.runAtOnce(body, request.sequences)
    : await runInParts(body, request.sequences, (part, sequences) => engine.run(part, sequences));
  cursors.note(body, reply, performance.now());
  const what = ownRefusal(reply);
  if (what) throw notModelled(what);
  return { body: reply, answeredBy: 'engine' };
}

/** A `createIndexes` that waits until the only member of the set agrees. */
function waitsForItself({ body }: Request, { replicaSet }: Mongod): boolean {
  const quorum = field(body, 'commitQuorum');
  if (!quorum || replicaSet.name === undefined) return false;
  return ['majority', 'votingMembers'].includes(text(quorum) ?? '') || number(quorum) === 1;
}

function isInTransaction({ body }: Request): boolean {
  const autocommit = field(body, 'autocommit');
  return autocommit !== undefined && !truthy(autocommit);
}

/** The engine would drop it, the replica set's configuration included (src/mongo/db/commands/drop_database… in a server). */
function dropsLocal({ name, db }: Command, { replicaSet }: Mongod): boolean {
  return name === 'dropDatabase' && db === 'local' && replicaSet.name !== undefined;
}

/** @throws CommandError when a document is nested deeper than servers allow */
function checkDepth({ body, sequences }: Request): void {
  const documents = [body, ...sequences.flatMap(({ bytes }) => splitDocuments(bytes, DEEP_BYTES))];
  if (documents.some((document) => isNestedDeeper(document, MAX_DEPTH))) {
    throw new CommandError(OVERFLOW, 'BSONObj exceeds maximum nested object depth');
  }
}

/** What the engine cannot do, when its reply refuses the command for that reason. */
function ownRefusal(reply: Buffer): string | undefined {
  if (number(field(reply, 'ok')) === 1) return undefined;
  const errmsg = text(field(reply, 'errmsg')) ?? '';
  return OWN_REFUSALS.find(({ words }) => words.test(errmsg))?.what;
}
