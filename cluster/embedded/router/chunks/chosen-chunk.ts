/** The one chunk that a command is about, named by a query or by its bounds. */
import { elements, type RawValue } from '../../wire/bson.ts';
import { documentText, rangeText } from '../bson-text.ts';
import { type Call, CommandError } from '../command.ts';
import { documentsIn } from '../ddl/request.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { invalidBounds, normalBound } from './bounds.ts';
import { chunkOfQuery, chunkWithBounds } from './find-chunk.ts';

const INVALID_OPTIONS = 72;

/** The command's fields; `find` is an object and `bounds` an array where they are there. */
type Fields = ReadonlyMap<string, RawValue>;

/** Every command has codes of its own for these. */
export interface ChoiceCodes {
  noKey: number;
  invalidBounds: number;
  noChunk: number;
}

/**
 * @param words what the command says of both and of none
 * @throws CommandError 72 unless there is either `find` or `bounds`, of which there are two
 */
export function requireOneChoice(fields: Fields, words: { both: string; none: string }): void {
  const bounds = fields.get('bounds');
  const fail = (why: string): CommandError => new CommandError(INVALID_OPTIONS, why);
  if (bounds && elements(bounds.bytes).length !== 2) throw fail('bounds can only have exactly 2 elements');
  if (bounds && fields.has('find')) throw fail(words.both);
  if (!bounds && !fields.has('find')) throw fail(words.none);
}

/**
 * @param fields have passed {@link requireOneChoice}
 * @throws CommandError with one of the codes
 */
export function chosenChunk(call: Call, fields: Fields, collection: ShardedCollection, codes: ChoiceCodes): ChunkEntry {
  const query = fields.get('find')?.bytes;
  if (!query) return chunkOfBounds(documentsIn(call, 'bounds', fields.get('bounds')), collection, codes);
  const chunk = chunkOfQuery(collection, query);
  if (chunk) return chunk;
  throw new CommandError(codes.noKey, `no shard key found in chunk query ${documentText(query)}`);
}

function chunkOfBounds(
  [lower, upper]: readonly Buffer[],
  collection: ShardedCollection,
  codes: ChoiceCodes,
): ChunkEntry {
  const { fields, keyPattern } = collection.routing;
  const [given, end] = [lower as Buffer, upper as Buffer]; // their number has been checked
  const [min, max] = [normalBound(fields, given), normalBound(fields, end)];
  if (!min || !max) throw new CommandError(codes.invalidBounds, invalidBounds(given, end, keyPattern));
  const chunk = chunkWithBounds(collection, min, max);
  if (chunk) return chunk;
  throw new CommandError(codes.noChunk, `no chunk found with the shard key bounds ${rangeText(min, max)}`);
}
