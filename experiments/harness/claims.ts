/** The claims that experiments test: statements that people rely on, each with the layer that decides it. */

/** `engine`: the storage engine of one shard; `sharding`: router, config metadata or shard role; `both`: it takes both. */
type DecidedBy = 'engine' | 'sharding' | 'both';

/** See the file's comment. */
export interface Claim {
  readonly statement: string;
  readonly decidedBy: DecidedBy;
}

const engine = (statement: string): Claim => ({ statement, decidedBy: 'engine' });
const sharding = (statement: string): Claim => ({ statement, decidedBy: 'sharding' });
const both = (statement: string): Claim => ({ statement, decidedBy: 'both' });

/** U: unique, partial and sparse indexes. K: shard keys and unique indexes. G: global uniqueness and `_id`. X: what lies beyond. */
export const claims = {
  U1: engine('A compound unique index rejects a repeated combination and accepts a repeated component.'),
  U2: engine('Check-then-insert lets two clients both insert; a unique index lets one win, the loser gets code 11000.'),
  U3: engine('Building a unique index over duplicates fails and changes neither the indexes nor a document.'),
  U4: engine('A plain unique index stores a missing field as null: a second document without it is refused.'),
  U5: engine(
    'A partial unique index binds only what its filter selects; `{deletedAt: null}` selects null and missing.',
  ),
  U6: engine('With the filter `$type: "date"`, equal emails collide only once both are verified.'),
  U7: engine('The planner uses a partial index only for a query that guarantees its filter.'),
  U8: engine('A sparse index leaves out documents without the field and keeps those whose value is null.'),
  U9: engine(
    'After a soft delete a plain unique index still blocks the key; a partial one on live documents frees it.',
  ),
  U10: engine(
    'Restoring a soft-deleted document fails with 11000 while its key is taken, and succeeds once it is free.',
  ),
  U11: engine('A strength-2 collation makes a unique index ignore letter case; a query must name it to use the index.'),
  U12: engine('Membership `{organizationId, userId}` can be unique among the active memberships alone.'),
  U13: engine('A unique multikey index binds equal elements of different documents, not of one array.'),
  U14: engine('A hidden unique index goes on enforcing uniqueness; only the planner stops using it.'),
  U15: engine('"123" and 123 are different keys; 123 as int, long, double and decimal is one key.'),
  U16: engine('Values that a business holds equal do not collide unless they are normalised or collated.'),
  U17: engine('An update away from a value frees its key for another document at once.'),
  U18: engine('A change that brings a document into a partial unique index can fail with 11000 at that moment.'),
  U19: engine('Duplicates that arrive between cleaning up and building a unique index make the build fail.'),
  K1: sharding('Sharding an empty collection creates the shard key index; a non-empty one needs it beforehand.'),
  K2: sharding('The last visible index that supports the shard key can be neither dropped nor hidden.'),
  K3: sharding('The index of a hashed shard key may be dropped since 5.0.22, 6.0.12 and 7.0.3.'),
  K4: engine('Uniqueness on a compound shard key holds for the whole combination, not for a component.'),
  K5: sharding('On a range-sharded collection only the shard key, an index it prefixes, and `_id` can be unique.'),
  K6: sharding('A collection with a unique index that the shard key does not prefix cannot be sharded.'),
  K7: sharding('On a sharded collection a unique index is refused unless the shard key is its prefix.'),
  K8: engine('A unique index on a sharded collection stores null for a missing field.'),
  K9: sharding(
    '`unique: true` makes the shard key index unique if the collection is empty, and needs it to exist if not.',
  ),
  K10: both('A hashed index cannot be unique.'),
  K11: sharding('Documents may lack shard key fields; a missing field falls into the range that null falls into.'),
  K12: engine('`{x: {$exists: false}}` finds only documents without x; `{x: null}` finds those and the null ones.'),
  K13: sharding('An upsert on a document without the shard key must give the key as null beside another condition.'),
  K14: sharding('Ranges do not overlap, each belongs to one shard, and documents are where the chunk map says.'),
  G1: sharding('On a sharded collection a unique index on a field outside the shard key is refused with code 67.'),
  G2: sharding('With shard key `{uid: 1}`, a unique `{uid, email}` is accepted and `{email, uid}` is refused with 67.'),
  G3: engine('Unique `{uid, email}` guards email within one uid only: another uid, on any shard, may repeat it.'),
  G4: engine(
    'If `_id` is not the shard key, one `_id` can exist once on each shard; a second on one shard gets 11000.',
  ),
  G5: both('A field that is the shard key, declared unique, is unique on the whole cluster.'),
  G6: sharding('A hashed shard key cannot be declared unique: code 72.'),
  G7: both('With `_id` hashed as the shard key, `_id` is in effect unique on the whole cluster.'),
  X1: sharding('A chunk does not move onto a shard that holds one of its `_id`s already.'),
  X2: sharding('A shard key is not refined while a unique index exists that the new key does not prefix.'),
  X3: both('A collection of claimed values, sharded by the value, makes a field unique that is not the shard key.'),
  X4: both('Two inserts of one `_id` on two shards can commit in one transaction.'),
  X5: sharding('A partial or sparse unique index, too, is refused unless the shard key is its prefix.'),
  X6: both('A changed shard key value that moves a document is refused if the other shard holds its `_id`.'),
  X7: sharding('A unique index with a collation other than the simple one is refused on a sharded collection.'),
  X8: sharding('Resharding fails where two documents share an `_id` and would meet on one shard.'),
  X9: both('`collMod` makes an index unique on a sharded collection only if the shard key is its prefix.'),
  X10: sharding('A compound hashed shard key cannot be declared unique either.'),
  X11: both('Concurrent upserts of one value leave one document through the shard key, and may leave more otherwise.'),
  X12: sharding('A read by `_id` alone finds every document that shares it; with the shard key it finds the one.'),
  X13: sharding('A write to many by `_id` alone reaches every shard that holds the `_id`.'),
  X14: both('With the zone field as the shard key prefix, uniqueness holds within each zone.'),
  X15: sharding('An upsert by `_id` alone is accepted or refused depending on the version of the router.'),
} as const satisfies Readonly<Record<string, Claim>>;

/** The id of a claim. */
export type ClaimId = keyof typeof claims;

/** Whether a string is the id of a claim. */
export function isClaim(id: string): id is ClaimId {
  return Object.hasOwn(claims, id);
}
