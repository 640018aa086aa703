/** The indexes of a collection on one server. */
import { documentOf, field, Type, text, truthy } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { ask, findAll } from '../ask.ts';
import { CommandError } from '../command.ts';
import type { Namespace } from './namespace.ts';

const NAMESPACE_NOT_FOUND = 26;
/** Of a malformed index, which the engine refuses. */
const NO_KEY = documentOf([]);

/** One index, as far as sharding looks at it. */
export interface Index {
  name: string;
  key: Buffer;
  unique: boolean;
  prepareUnique: boolean;
  sparse: boolean;
  hidden: boolean;
  partial: boolean;
  /** `undefined` for the simple collation. */
  collation: Buffer | undefined;
  /** As `listIndexes` shows it. */
  spec: Buffer;
}

/** Reads one entry of `listIndexes`, or of `indexes` of `createIndexes`. */
export function readIndex(spec: Buffer): Index {
  const collation = documentIn(spec, 'collation');
  return {
    name: text(field(spec, 'name')) ?? '',
    key: documentIn(spec, 'key') ?? NO_KEY,
    unique: truthy(field(spec, 'unique')),
    prepareUnique: truthy(field(spec, 'prepareUnique')),
    sparse: truthy(field(spec, 'sparse')),
    hidden: truthy(field(spec, 'hidden')),
    partial: field(spec, 'partialFilterExpression') !== undefined,
    collation: collation && text(field(collation, 'locale')) !== 'simple' ? collation : undefined,
    spec,
  };
}

function documentIn(spec: Buffer, name: string): Buffer | undefined {
  const value = field(spec, name);
  return value?.type === Type.object ? value.bytes : undefined;
}

/** The indexes of a collection, none where it does not exist. */
export async function indexesOf(peer: Peer, { db, collection }: Namespace): Promise<Index[]> {
  try {
    return (await findAll(peer, db, { listIndexes: collection })).map(readIndex);
  } catch (error) {
    if (error instanceof CommandError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Whether an index holds more than one key for some document. The planner knows, and says so in explain. */
export async function isMultikey(peer: Peer, { db, collection }: Namespace, index: string): Promise<boolean> {
  const explain = { find: collection, filter: {}, hint: index };
  const { queryPlanner } = await ask(peer, db, { explain, verbosity: 'queryPlanner' });
  const { winningPlan } = queryPlanner;
  for (let stage = winningPlan.queryPlan ?? winningPlan; stage; stage = stage.inputStage) {
    if ('isMultiKey' in stage) return stage.isMultiKey === true;
  }
  return false;
}
