/** Versions as servers say them. */
import semver from 'semver';

/**
 * A server's version without its prerelease part: `9.0.0-alpha0` behaves as 9.0.0 and is compared as it.
 * @throws Error when the text begins with no version
 */
export function serverVersion(version: string): string {
  const coerced = semver.coerce(version);
  if (!coerced) throw new Error(`not a server version: ${version}`);
  return coerced.version;
}
