/** Stages that begin a pipeline with what the router finds: an engine runs the rest of the pipeline over it. */

import {
  arrayOf,
  documentOf,
  elements,
  field,
  firstName,
  type RawElement,
  type RawValue,
  Type,
} from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { CONFIG } from '../internal-databases.ts';
import { documentsStage } from '../read/engine-merge.ts';
import { clusterCatalog } from './cluster-catalog.ts';
import { currentOperations } from './current-operations.ts';
import { dataDistribution } from './data-distribution.ts';

/** The documents that a stage begins a pipeline with. @param operand what the stage says */
type Source = (operand: RawValue, db: string, router: Router) => Promise<readonly Buffer[]>;

/** Of any database. */
const SOURCES: ReadonlyMap<string, Source> = new Map([['$listClusterCatalog', clusterCatalog]]);
const ADMIN_SOURCES: ReadonlyMap<string, Source> = new Map([
  ...SOURCES,
  ['$currentOp', currentOperations],
  ['$shardedDataDistribution', dataDistribution],
]);
/** The engine that runs the rest. */
const NO_STAGES = documentOf([]);

/** Answers an `aggregate` that begins with such a stage; `undefined` for every other, and for one that an engine has to refuse. */
export function fromOwnSource(call: Call, router: Router): Promise<Reply> | undefined {
  if (field(call.body, 'aggregate')?.type === Type.string) return undefined;
  const [first] = elements(field(call.body, 'pipeline')?.bytes ?? NO_STAGES);
  if (first?.type !== Type.object) return undefined;
  const name = firstName(first.bytes);
  const source = (call.db === 'admin' ? ADMIN_SOURCES : SOURCES).get(name);
  const operand = field(first.bytes, name);
  return source && operand?.type === Type.object ? answer(call, router, source(operand, call.db, router)) : undefined;
}

async function answer(call: Call, { catalog, cursors }: Router, found: ReturnType<Source>): Promise<Reply> {
  const reply = await catalog.config.send(withDocuments(call.body, await found), call.sequences);
  return { body: cursors.adopt(reply, CONFIG, call), answeredBy: 'model' };
}

/** The command with these documents in place of the first stage. */
function withDocuments(body: Buffer, documents: readonly Buffer[]): Buffer {
  const [, ...rest] = elements(field(body, 'pipeline')?.bytes ?? NO_STAGES);
  const { bytes: batch } = arrayOf(documents.map((bytes) => ({ type: Type.object, bytes })));
  const pipeline: RawElement = { name: 'pipeline', ...arrayOf([documentsStage(batch), ...rest]) };
  return documentOf(elements(body).map((element) => (element.name === 'pipeline' ? pipeline : element)));
}
