/** What a real server is able to do, by its version and the feature compatibility version that it was set to. */
import { type Document, MongoClient } from 'mongodb';
import semver from 'semver';
import { serverVersion } from '../../cluster/distributions/version.ts';
import type { Feature } from './define.ts';

/** The version that each came with to sharded clusters (https://www.mongodb.com/docs/manual/release-notes/); none, when any server has it. */
const SINCE: Partial<Record<Feature, string>> = { transactions: '4.2.0', changeStreams: '3.6.0', resharding: '5.0.0' };
const SELECTION_LIMIT_MS = 10_000;

/**
 * The feature compatibility version of the config server, which is the one that a router can ask; `setFeatureCompatibilityVersion` gives it to
 * every shard before it ends (https://www.mongodb.com/docs/manual/reference/command/setFeatureCompatibilityVersion/).
 * @param uri of the router
 * @returns undefined when the user may not read it
 * @throws MongoError when the router cannot be reached
 */
export async function featureCompatibilityVersion(uri: string): Promise<string | undefined> {
  const client = new MongoClient(uri, { appName: 'shardlab', serverSelectionTimeoutMS: SELECTION_LIMIT_MS });
  try {
    const settings = client.db('admin').collection<Document & { _id: string }>('system.version');
    return (await settings.findOne({ _id: 'featureCompatibilityVersion' }))?.version;
  } catch (error) {
    if ((error as { code?: unknown }).code === UNAUTHORIZED) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

const UNAUTHORIZED = 13;

/** @returns why a feature is missing, undefined when it is there */
export function reasonToLack(feature: Feature, version: string, fcv: string | undefined): string | undefined {
  const since = SINCE[feature];
  if (!since) return undefined;
  if (semver.lt(serverVersion(version), since)) return `it needs ${feature}, which MongoDB ${version} does not have`;
  const isSetLower = fcv !== undefined && semver.lt(serverVersion(fcv), since);
  return isSetLower ? `it needs ${feature}, and the feature compatibility version is ${fcv}` : undefined;
}
