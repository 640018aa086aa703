/** Commands as a person would paste them into mongosh. */
import type { Exchange, Json, JsonObject } from '../experiments/harness/record.ts';
import { SCRATCH } from './json.ts';
import { collectionHelper, databaseHelper, type HelperCalls, shardingHelper } from './mongosh-helpers.ts';
import { brokenUp, shellLine, shellText, WIDTH } from './shell-text.ts';

/**
 * The command of an exchange in mongosh syntax. A helper such as `db.users.insertOne` stands there only where it sends exactly that
 * command, apart from the order of fields and what drivers add for themselves; otherwise it is `runCommand` with the whole command.
 * `db` is the experiment's own database.
 */
export function mongoshText(exchange: Exchange): string {
  return helperText(exchange) ?? wholeCommand(exchange);
}

/** To which member of the cluster the shell is connected, `the router` or `shard sh0`. */
export function connectedTo({ to }: Exchange): string {
  return to === 'router' ? 'the router' : `shard ${to}`;
}

function helperText({ to, database, command }: Exchange): string | undefined {
  const [first] = Object.values(command);
  if (typeof first !== 'string' && !('explain' in command)) return undefined;
  if (database === 'admin' && to === 'router') return chainText('sh', shardingHelper(command));
  const db = databaseText(database);
  return chainText(db, databaseHelper(command)) ?? collectionText(db, command);
}

function collectionText(db: string, command: JsonObject): string | undefined {
  const helper = collectionHelper(command);
  return helper && chainText(`${db}${collectionAccess(helper.collection)}`, helper.calls);
}

/** By its name where that can be no other property of a database; the longer way always works. */
function collectionAccess(collection: string): string {
  const isPlain = /^[a-z][a-z0-9_]*$/.test(collection) && !METHODS.has(collection);
  return isPlain ? `.${collection}` : `.getCollection(${shellLine(collection)})`;
}

/** Those of a database in mongosh that look like {@link collectionAccess}'s plain names (packages/shell-api/src/database.ts in mongodb-js/mongosh). */
const METHODS = new Set([
  'aggregate',
  'auth',
  'constructor',
  'hello',
  'help',
  'logout',
  'sql',
  'stats',
  'version',
  'watch',
]);

function wholeCommand({ database, command }: Exchange): string {
  if (database === 'admin') return callText('db.adminCommand', command);
  return callText(`${databaseText(database)}.runCommand`, command);
}

function databaseText(database: string): string {
  return database === SCRATCH ? 'db' : `db.getSiblingDB(${shellLine(database)})`;
}

/** On one line where it fits; what follows the first call then stands behind its closing bracket, where a shell that is pasted into reads on. */
function chainText(target: string, calls: HelperCalls | undefined): string | undefined {
  if (!calls) return undefined;
  const [head = '', ...tail] = calls.map(([method, ...args]) => `.${method}(${args.map(shellLine).join(', ')})`);
  const after = tail.join('');
  if (target.length + head.length + after.length <= WIDTH) return target + head + after;
  const [[method, ...args] = ['']] = calls;
  return brokenCall(`${target}.${method}`, args) + after;
}

function callText(callee: string, arg: Json): string {
  const line = `${callee}(${shellLine(arg)})`;
  return line.length <= WIDTH ? line : brokenCall(callee, [arg]);
}

/** An only argument is broken up, several have lines of their own. */
function brokenCall(callee: string, args: readonly Json[]): string {
  const [only] = args;
  if (args.length === 1 && only !== undefined) return `${callee}(${brokenUp(only)})`;
  return `${callee}(\n${args.map((arg) => `  ${shellText(arg, '  ')}`).join(',\n')}\n)`;
}
