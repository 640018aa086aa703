/** `explain`: each shard's explanation, joined as a router does (src/mongo/s/commands/query_cmd/cluster_explain_cmd.cpp). */
import { notModelled } from '../not-modelled.ts';
import { firstName, text } from '../wire/bson.ts';
import { type Call, CommandError, type Reply, type Router } from './command.ts';
import { fieldsOf, ownValue } from './ddl/request.ts';
import { explainAggregate } from './explain/aggregate.ts';
import { explainRead } from './explain/read.ts';
import { explainWrite } from './explain/write.ts';
import { isUnmodelled } from './known-commands.ts';
import { passTo } from './read/routed.ts';

const BAD_VALUE = 2;
const ILLEGAL_OPERATION = 20;
const COMMAND_NOT_FOUND = 59;
const VERBOSITIES: ReadonlySet<string> = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);
type Explainer = (inner: Call, router: Router, verbosity: string) => Promise<Reply>;
const EXPLAINED: ReadonlyMap<string, Explainer> = new Map([
  ['aggregate', explainAggregate],
  ['count', explainRead],
  ['delete', explainWrite],
  ['distinct', explainRead],
  ['find', explainRead],
  ['findAndModify', explainWrite],
  ['update', explainWrite],
]);

/** Servers explain them, or refuse them in words of their own. */
const UNMODELLED: ReadonlySet<string> = new Set([
  'bulkWrite',
  'findandmodify',
  'getMore',
  'insert',
  'mapReduce',
  'mapreduce',
]);

/** @throws CommandError 20 for a command that cannot be explained, 59 for one that there is not, 2, 14 or 40415 for what is no request to explain */
export async function explain(call: Call, router: Router): Promise<Reply> {
  const explained = ownValue(call, 'object');
  const verbosity = verbosityOf(call);
  const name = firstName(explained.bytes);
  const handler = EXPLAINED.get(name);
  if (!handler) throw refusalToExplain(name, router);
  const primary = router.catalog.primaryOf(call.db);
  if (primary === undefined || primary === 'config') return explainElsewhere(primary, call, router);
  return handler({ ...call, name, body: explained.bytes, sequences: [] }, router, verbosity);
}

function verbosityOf(call: Call): string {
  const verbosity = text(fieldsOf(call, { verbosity: 'string' }).get('verbosity')) ?? 'allPlansExecution';
  if (VERBOSITIES.has(verbosity)) return verbosity;
  const why = `Enumeration value '${verbosity}' for field 'explain.verbosity' is not a valid value.`;
  throw new CommandError(BAD_VALUE, why);
}

/** `CommandInvocation::explain` (src/mongo/db/commands.h). */
function refusalToExplain(name: string, { answers }: Router): CommandError {
  if (name === 'explain') return new CommandError(ILLEGAL_OPERATION, 'Explain cannot explain itself.');
  if (UNMODELLED.has(name)) return notModelled(`explain of ${name}`);
  if (answers(name) || isUnmodelled(name)) return new CommandError(ILLEGAL_OPERATION, `Cannot explain cmd: ${name}`);
  return new CommandError(COMMAND_NOT_FOUND, `Explain failed due to unknown command: ${name}`);
}

/** What is on the config server, or in no database yet, is explained by one server alone. */
function explainElsewhere(primary: string | undefined, call: Call, router: Router): Promise<Reply> {
  return passTo(primary ?? router.catalog.shards()[0]?.id ?? 'config', call, router);
}
