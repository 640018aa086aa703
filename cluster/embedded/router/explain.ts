/** `explain`: each shard's explanation, joined as a router does (src/mongo/s/commands/query_cmd/cluster_explain_cmd.cpp). */
import { field, firstName, Type, text } from '../wire/bson.ts';
import { type Call, CommandError, type Reply, type Router } from './command.ts';
import { explainAggregate } from './explain/aggregate.ts';
import { explainRead } from './explain/read.ts';
import { explainWrite } from './explain/write.ts';
import { passTo } from './read/routed.ts';

const TYPE_MISMATCH = 14;
const COMMAND_NOT_FOUND = 59;
const EXPLAINED: Readonly<Record<string, (inner: Call, router: Router, verbosity: string) => Promise<Reply>>> = {
  aggregate: explainAggregate,
  count: explainRead,
  delete: explainWrite,
  distinct: explainRead,
  find: explainRead,
  findAndModify: explainWrite,
  update: explainWrite,
};

/** @throws CommandError 59 for a command that cannot be explained, 14 when there is none */
export async function explain(call: Call, router: Router): Promise<Reply> {
  const explained = field(call.body, 'explain');
  if (explained?.type !== Type.object) {
    throw new CommandError(TYPE_MISMATCH, "BSON field 'explain.explain' is the wrong type, expected type 'object'");
  }
  const name = firstName(explained.bytes);
  const handler = EXPLAINED[name];
  if (!handler) throw new CommandError(COMMAND_NOT_FOUND, `Explain failed due to unknown command: ${name}`);
  const primary = router.catalog.primaryOf(call.db);
  if (primary === undefined || primary === 'config') return explainElsewhere(primary, call, router);
  return handler(
    { ...call, name, body: explained.bytes, sequences: [] },
    router,
    text(field(call.body, 'verbosity')) ?? 'allPlansExecution',
  );
}

/** What is on the config server, or in no database yet, is explained by one server alone. */
function explainElsewhere(primary: string | undefined, call: Call, router: Router): Promise<Reply> {
  return passTo(primary ?? router.catalog.shards()[0]?.id ?? 'config', call, router);
}
