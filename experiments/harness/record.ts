/**
 * The result record: what one experiment showed on one server, as one JSON document. Everything that is shown anywhere
 * (pages, index, tables) is a pure function of it, so this file knows nothing of clusters, drivers or files.
 */

/** A JSON value; BSON types appear as relaxed Extended JSON or as the placeholders of normalize.ts. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** See {@link Json}. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** See the file's comment. */
export interface ResultRecord {
  /** Raised when a reader of older records would misread a newer one. */
  readonly format: 1;
  readonly experiment: ExperimentHead;
  readonly environment: Environment;
  readonly ended: Ending;
  readonly steps: readonly StepRecord[];
  readonly placement: {
    /** Before the first step that is more than arranging a collection. */
    readonly before: readonly CollectionPlacement[];
    readonly after: readonly CollectionPlacement[];
  };
  readonly verdicts: readonly VerdictRecord[];
}

/** What an experiment says of itself. */
export interface ExperimentHead {
  readonly number: number;
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly claims: readonly string[];
  /** Where its predictions are known from. */
  readonly sources: readonly string[];
}

/** The cluster that answered. */
export interface Environment {
  /** The router's `buildInfo.version`. */
  readonly version: string;
  readonly gitVersion: string;
  /** Of a real server, where it could be read. */
  readonly featureCompatibilityVersion?: string;
  /** Whose servers they were: `embedded` ones, `real MongoDB` that was started here, or `existing` for a cluster that somebody else runs. */
  readonly distribution: string;
  /** What the user told the servers that were started here; absent when that was nothing. */
  readonly arguments?: { readonly mongod?: readonly string[]; readonly mongos?: readonly string[] };
  /** Names of the shards, in order. */
  readonly shards: readonly string[];
  /** Present when the router's own `buildInfo` says that it is this project's model of the sharding layer. */
  readonly model?: ModelNote;
}

/** What is known of the model of the sharding layer. */
export interface ModelNote {
  /** The MongoDB version whose source it was written from. */
  readonly writtenFrom: string;
  /** The versions of the recordings of real clusters that are there to check it against. */
  readonly recordings: readonly string[];
}

/** How the experiment came to its end. All but `completed` leave the record with the steps until then. */
export type Ending =
  | { readonly how: 'completed' }
  | { readonly how: 'skipped'; readonly reason: string }
  | { readonly how: 'threw'; readonly error: string }
  | { readonly how: 'cluster failed'; readonly error: string }
  | { readonly how: 'deadline'; readonly seconds: number };

/** Who produced a reply; `server` on real MongoDB, `nobody` when no reply came. */
export type AnsweredBy = 'server' | 'engine' | 'model' | 'nobody';

/** One command and what came back. */
export interface Exchange {
  /** `router`, or the name of the shard asked directly. */
  readonly to: string;
  readonly database: string;
  readonly command: JsonObject;
  /** The whole reply, an error reply too; null when none came. */
  readonly reply: JsonObject | null;
  /** The reply was cut down to what the step is about. */
  readonly isExcerpt?: true;
  /** The driver's words when no reply came. */
  readonly failure?: string;
  readonly answeredBy: AnsweredBy;
}

/** Part of the report that a step belongs to. */
export type Section = 'story' | 'instead';

/** One step, what it sent and what was seen. */
export interface StepRecord {
  /** Counts up from 1 through the whole experiment. */
  readonly number: number;
  readonly section: Section;
  readonly caption: string;
  /** Empty for a race, whose order is nobody's to predict. */
  readonly exchanges: readonly Exchange[];
  readonly observed: Observed;
  readonly check?: Check;
  /**
   * The collections of the scratch database after the step, by name; no views, nothing of the server's own. Absent where they are as after the
   * step before it (none, before the first), in the step in which a run was given up, and in every step of a record in which they were not
   * looked at.
   */
  readonly state?: readonly CollectionState[];
}

/** A collection as it stood after a step. */
export interface CollectionState {
  readonly collection: string;
  /** Absent where it is not sharded. */
  readonly sharded?: { readonly key: JsonObject; readonly unique: boolean };
  /** In key order; none where it is not sharded. */
  readonly chunks: readonly Chunk[];
  /** Every shard, in order. */
  readonly shards: readonly ShardState[];
}

/** The shard keys from `min` to below `max`, and who owns them. */
export interface Chunk {
  readonly min: JsonObject;
  readonly max: JsonObject;
  readonly shard: string;
}

/** What one shard holds of a collection. Documents that it does not own are among them where the shard itself was asked. */
export interface ShardState {
  readonly shard: string;
  /**
   * Documents. Absent where chance decides it: when a race has written to the collection, from then until the collection is dropped. A race
   * leaves nothing to chance when all its clients sent the same write, apart from ids and dates, and at most one of them succeeded.
   */
  readonly count?: number;
  /**
   * As `listIndexes` gives them, by name (`v`, `key` and `name` come first). None where the shard does not have the collection, or, where only
   * the router can be asked, owns no chunk of it.
   */
  readonly indexes: readonly JsonObject[];
  /**
   * All of them: by chunk, then by the values of the shard key's fields, then by `_id`; ids that the run made up in the order of their
   * numbers. Absent where `count` is, where they are too many or too large to show, and where only the router can be asked.
   */
  readonly documents?: readonly DocumentState[];
}

/** One document on one shard. */
export interface DocumentState {
  readonly document: JsonObject;
  /**
   * Which of the collection's chunks its shard key belongs to, from 0. Where that chunk is another shard's the document is an orphan.
   * Absent where the collection is not sharded, and where there is an array in the shard key, which no chunk holds.
   */
  readonly chunk?: number;
}

/** What a step came to, as far as it can be compared. */
export interface Observed {
  /** Every call succeeded. */
  readonly ok: boolean;
  /** The server's error code, where the call failed with one. */
  readonly code?: number;
  readonly codeName?: string;
  /** The error without a server's code. */
  readonly error?: string;
  /** Documents that a read returned or counted, or a write changed. */
  readonly documents?: number;
  /** Documents per shard, in the order of the shards. */
  readonly counts?: readonly number[];
  /** What the plans of a query scan: the name of an index, or `COLLSCAN`. */
  readonly scan?: string;
  readonly race?: Race;
}

/** What became of several clients that did the same at the same time. */
interface Race {
  readonly clients: number;
  readonly winners: Winners;
  /** The error codes of those that did not succeed, each once, sorted. */
  readonly codes: readonly number[];
  /** Who answered them, each once, sorted. */
  readonly answeredBy: readonly AnsweredBy[];
}

/** How many of several racing clients succeeded, as a predicate, because the number may vary between runs. */
export type Winners = 'none' | 'exactly one' | 'more than one';

/** An outcome that is predicted, or that a claim states. */
export type Outcome =
  /** No call was refused. */
  | { readonly ok: true }
  /** A call was refused with this error of the server: 11000 for a duplicate key. */
  | { readonly code: number }
  /** The step returned an array of so many elements, or this number. */
  | { readonly documents: number }
  /** Of `counts`: documents on each shard, in the order of the shards. */
  | { readonly counts: readonly number[] }
  /** Of `explain`: the name of the index that the plans scan, or `COLLSCAN`. */
  | { readonly scan: string }
  /** Of `race`: how many clients succeeded, and the error of each of the others. */
  | { readonly winners: Winners; readonly code?: number };

/** Who answered a step, each once. */
export function answerersOf({ exchanges, observed }: StepRecord): readonly AnsweredBy[] {
  return observed.race?.answeredBy ?? [...new Set(exchanges.map(({ answeredBy }) => answeredBy))];
}

/** A prediction held against what was observed. */
export interface Check {
  /** Null when nothing is predicted for this server's version. */
  readonly expected: Outcome | null;
  /** Where the prediction is known from, if not from the experiment's sources. */
  readonly source?: string;
  readonly result: 'ok' | 'differs' | 'no prediction' | 'not modelled';
  /** The claims that this step is evidence for. */
  readonly claims: readonly string[];
  /** Whether what was observed is what the claims state. */
  readonly shown: boolean;
  /** The step of a recording of real clusters that this one corresponds to. */
  readonly recording?: RecordingLink;
}

/** A step of a scenario in cluster/embedded/conformance. */
export interface RecordingLink {
  readonly scenario: string;
  /** Counts from 0, as in the recording. */
  readonly step: number;
  /** Versions whose recording shows the outcome that the claim states, oldest first. */
  readonly versions: readonly string[];
  /** Versions whose recording shows something else. */
  readonly otherwise?: readonly string[];
}

/** Where the documents of one sharded collection are. */
export interface CollectionPlacement {
  readonly collection: string;
  readonly key: JsonObject;
  readonly unique: boolean;
  readonly chunks: readonly Chunk[];
  /** In the order of the shards; without `count` where {@link ShardState} has none. */
  readonly documents: readonly { readonly shard: string; readonly count?: number }[];
}

/** What became of one claim on this server. */
export interface VerdictRecord {
  readonly claim: string;
  readonly verdict: 'holds' | 'fails' | 'modelled' | 'skipped';
  /** Why, in one sentence. */
  readonly reason: string;
  /** Numbers of the steps that it rests on. */
  readonly steps: readonly number[];
  /** Of a modelled claim: where real clusters show it, or show something else. Empty when it was never recorded. */
  readonly recordings: readonly (RecordingLink & { readonly of: number })[];
}
