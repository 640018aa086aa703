/** The other collections that a pipeline reads or writes. */
import { elements, field, type RawValue, Type, text } from '../../wire/bson.ts';
import { type Stage, stagesOf } from './pipeline.ts';

/** One of them. */
export interface Foreign {
  /** The stage that names it. */
  stage: string;
  /** `db.coll` */
  ns: string;
  db: string;
}

/** Collections that `$lookup`, `$graphLookup` and `$unionWith` read, in sub-pipelines too. They are of the pipeline's own database. */
export function foreignReads(stages: readonly Stage[], db: string): Foreign[] {
  return stages.flatMap(({ name, operand }) => {
    const own = readBy(name, operand);
    const nested = subPipelines(name, operand).flatMap((pipeline) => foreignReads(stagesOf(pipeline) ?? [], db));
    return own === undefined ? nested : [{ stage: name, ns: `${db}.${own}`, db }, ...nested];
  });
}

function readBy(name: string, operand: RawValue): string | undefined {
  if (name === '$unionWith')
    return text(operand) ?? (operand.type === Type.object ? text(field(operand.bytes, 'coll')) : undefined);
  if (operand.type !== Type.object || (name !== '$lookup' && name !== '$graphLookup')) return undefined;
  return text(field(operand.bytes, 'from'));
}

function subPipelines(name: string, operand: RawValue): RawValue[] {
  if (operand.type !== Type.object) return [];
  if (name === '$facet') return elements(operand.bytes);
  const pipeline = name === '$lookup' || name === '$unionWith' ? field(operand.bytes, 'pipeline') : undefined;
  return pipeline ? [pipeline] : [];
}

/** The collection that the last stage writes, when it is `$out` or `$merge`. */
export function written(stages: readonly Stage[], db: string): Foreign | undefined {
  const last = stages.at(-1);
  if (last?.name === '$out') return target(last.name, last.operand, db);
  if (last?.name !== '$merge') return undefined;
  const into = last.operand.type === Type.object ? field(last.operand.bytes, 'into') : last.operand;
  return into && target(last.name, into, db);
}

function target(stage: string, value: RawValue, db: string): Foreign | undefined {
  const named = text(value);
  if (named !== undefined) return { stage, ns: `${db}.${named}`, db };
  if (value.type !== Type.object) return undefined;
  const other = text(field(value.bytes, 'db')) ?? db;
  const collection = text(field(value.bytes, 'coll'));
  return collection === undefined ? undefined : { stage, ns: `${other}.${collection}`, db: other };
}
