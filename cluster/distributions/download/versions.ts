/** Versions and ranges as people write them, and what they mean in a list of releases. */
import semver from 'semver';
import { InputError } from '../../errors.ts';
import { Obstacle } from './errors.ts';

/** What is asked for when nobody says it. */
export const DEFAULT_VERSION = '8.0';
/** MongoDB's Node.js driver 7.9 refuses servers of a wire version below 9, which is 4.4. */
const OLDEST = '4.4.0';
/** The newest release that is made for production. */
const LATEST = 'latest';
const WITH_CANDIDATES = { includePrerelease: true };

/** A release, as far as a choice needs it. */
export interface Release {
  /** `8.0.4`, `9.0.0-rc1` */
  version: string;
  production_release?: boolean;
}

/** Whether the text is a version (`8.0.4`), a range (`8.0`, `7`, `>=6 <8`) or `latest`. */
export function isVersionOrRange(text: string): boolean {
  return text === LATEST || (/^[v\d<>=~^]/.test(text) && semver.validRange(text) !== null);
}

/**
 * @throws InputError when the text is no version or range, or when all it means is older than the driver can use
 */
export function checkAsked(asked: string): void {
  if (!isVersionOrRange(asked)) {
    throw new InputError(`"${asked}" is no version of MongoDB (8.0.4) and no range (8.0, 7, ">=6 <8", latest)`);
  }
  if (asked !== LATEST && !semver.intersects(asked, `>=${OLDEST}-0`, WITH_CANDIDATES)) {
    throw new InputError(
      `MongoDB ${asked} is too old: the oldest that MongoDB’s Node.js driver 7.9 talks to is ${series(OLDEST)}`,
    );
  }
}

/** Whether the text means one release and no other. */
export function isExact(asked: string): boolean {
  return semver.valid(asked) !== null;
}

/** The newest of the releases that the text means; undefined when there is none. */
export function newestOf<R extends Release>(asked: string, releases: readonly R[]): R | undefined {
  const meant = releases.filter((release) => isUsable(release.version) && means(asked, release));
  return meant.sort((a, b) => semver.rcompare(a.version, b.version))[0];
}

/**
 * As {@link newestOf}.
 * @throws Obstacle when there is none, with the candidate for it where there is one, or the nearest three that there are
 */
export function releaseFor<R extends Release>(asked: string, releases: readonly R[]): R {
  const found = newestOf(asked, releases);
  if (found) return found;
  const candidate = semver.maxSatisfying(
    releases.map(({ version }) => version),
    asked,
    WITH_CANDIDATES,
  );
  if (candidate) throw new Obstacle(`it is not released; ${candidate} can be named in full`);
  const nearest = nearestTo(asked, releases).slice(0, 3);
  if (nearest.length === 0) throw new Obstacle('the list of versions names none that can be used');
  throw new Obstacle(`there is no such version; the nearest are ${nearest.map(({ version }) => version).join(', ')}`);
}

/** The usable releases, nearest first, without release candidates and the like. */
export function nearestTo<R extends Release>(asked: string, releases: readonly R[]): R[] {
  const wanted = semver.parse(oldestMeant(asked));
  const usable = releases.filter(({ version }) => isUsable(version) && semver.prerelease(version) === null);
  return usable.sort((a, b) => compareDistances(distance(a, wanted), distance(b, wanted)));
}

/** The lowest version that a range includes; undefined for `latest`. */
export function oldestMeant(asked: string): string | undefined {
  return asked === LATEST ? undefined : semver.minVersion(asked)?.version;
}

/** `8.0` of `8.0.4`. */
export function series(version: string): string {
  return `${semver.major(version)}.${semver.minor(version)}`;
}

/** Whether the driver talks to it. */
export function isUsable(version: string): boolean {
  return semver.valid(version) !== null && semver.gte(version, `${OLDEST}-0`);
}

function means(asked: string, { version, production_release }: Release): boolean {
  if (asked === LATEST) return production_release === true;
  return semver.satisfies(version, asked);
}

/** Of another series, the newest release is the nearest; of the same one, the nearest number. */
function distance({ version }: Release, wanted: semver.SemVer | null): readonly number[] {
  const { major, minor, patch } = semver.parse(version) as semver.SemVer;
  if (!wanted || major !== wanted.major) return [Math.abs(major - (wanted?.major ?? 0)), -minor, -patch];
  if (minor !== wanted.minor) return [0, Math.abs(minor - wanted.minor), -patch];
  return [0, 0, Math.abs(patch - wanted.patch)];
}

function compareDistances(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing === -1 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}
