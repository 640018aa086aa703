/** The order in which a router merges what shards send, as `$mergeCursors` shows it (src/mongo/db/query/compiler/logical_model/sort_pattern/sort_pattern.cpp). */
import type { Document } from 'bson';
import { elements, field, firstName, type RawValue, Type, text } from '../../wire/bson.ts';
import { directionsOf } from '../read/merge.ts';

/** @param shardPart stages of which one puts the shards' documents in an order */
export function sortPattern(shardPart: readonly RawValue[]): Document {
  return shardPart.map(({ bytes }) => patternOf(bytes)).findLast((pattern) => pattern !== undefined) ?? {};
}

function patternOf(stage: Buffer): Document | undefined {
  const name = firstName(stage);
  const operand = field(stage, name)?.bytes ?? stage;
  if (name === '$sort') return bySort(operand);
  if (name === '$geoNear') return { [text(field(operand, 'distanceField')) ?? '']: 1 };
  return name === '$sample' ? { $computed0: -1 } : undefined;
}

/** What is no field but computed has a made-up name. */
function bySort(sort: Buffer): Document {
  const directions = directionsOf(sort);
  const names = elements(sort).map(({ name, type }, i) => (type === Type.object ? `$computed${i}` : name));
  return Object.fromEntries(names.map((name, i) => [name, directions[i]]));
}
