/** `explain` of `update`, `delete` and `findAndModify`. */
import { field, text } from '../../wire/bson.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { documentField } from '../read/documents.ts';
import type { RoutingTable } from '../routing.ts';
import { parseWrite, type WriteKind } from '../write/command.ts';
import { parseDelete, parseUpdate } from '../write/statement.ts';
import { targetOf } from '../write/target.ts';
import { explainPlans } from './plans.ts';

const INVALID_LENGTH = 16;

/** @param inner the command that is to be explained, as a call of its own */
export async function explainWrite(inner: Call, router: Router, verbosity: string): Promise<Reply> {
  const ns = `${inner.db}.${text(field(inner.body, inner.name)) ?? ''}`;
  const write = writeOf(inner);
  return router.catalog.using(ns, async () => {
    const table = router.catalog.routing(ns);
    const shards = table ? shardsOf(write, table) : [await router.catalog.ensureDatabase(inner.db)];
    const isExact = table?.keyOfQuery(write.q, write.collation) !== undefined;
    const plan = { shards, verbosity, db: inner.db, command: inner.body, filteredBy: isExact ? undefined : table };
    return explainPlans(
      { ...plan, stage: inner.name === 'findAndModify' ? 'SINGLE_SHARD' : 'SHARD_WRITE' },
      inner.body,
      inner,
      router,
    );
  });
}

interface ExplainedWrite {
  kind: WriteKind | 'findAndModify';
  statement: Buffer;
  q: Buffer;
  collation: Buffer | undefined;
}

/** @throws CommandError 16 unless there is one statement */
function writeOf(inner: Call): ExplainedWrite {
  if (inner.name === 'findAndModify') {
    const collation = field(inner.body, 'collation')?.bytes;
    return { kind: inner.name, statement: inner.body, q: documentField(inner.body, 'query'), collation };
  }
  const kind = inner.name as 'update' | 'delete';
  const [statement, ...others] = parseWrite(kind, inner)?.statements ?? [];
  if (!statement || others.length > 0)
    throw new CommandError(INVALID_LENGTH, 'explained write batches must be of size 1');
  const parsed = kind === 'update' ? parseUpdate(statement) : parseDelete(statement);
  return { kind, statement, q: parsed?.q ?? documentField(statement, 'q'), collation: parsed?.collation };
}

function shardsOf({ kind, statement, q, collation }: ExplainedWrite, table: RoutingTable): readonly string[] {
  const target = kind === 'findAndModify' ? undefined : targetOf(kind, statement, table);
  if (target?.way === 'shard') return [target.shard];
  return target && target.way !== 'alone' ? target.shards : table.targets(q, collation).shards;
}
