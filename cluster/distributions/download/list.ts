/** MongoDB's list of versions, fetched once a day. */
import { Obstacle } from './errors.ts';
import type { ListedBuild, ListedRelease } from './lookup.ts';
import type { Source } from './source.ts';
import type { Store } from './store.ts';
import { isUsable, newestOf } from './versions.ts';
import { StatusObstacle, type Web } from './web.ts';

const DAY_MS = 24 * 3_600_000;
const FILE = 'versions.json';

/** What is kept of the list. */
interface KeptList {
  /** Where it was looked for. */
  lists: readonly string[];
  releases: readonly ListedRelease[];
}

/**
 * The list, from the store when it is less than a day old and has what is asked for, so that a range means the same all day.
 * @throws Obstacle when it cannot be fetched, or is no such list
 */
export async function releaseList(
  asked: string,
  { store, source, web }: { store: Store; source: Source; web: Web },
): Promise<readonly ListedRelease[]> {
  const kept = await keptList(store, source);
  if (kept && newestOf(asked, kept)) return kept;
  const releases = await fetchList(source, web);
  await store.keep(FILE, JSON.stringify({ lists: source.lists, releases } satisfies KeptList));
  return releases;
}

async function keptList(store: Store, { lists }: Source): Promise<readonly ListedRelease[] | undefined> {
  const kept = await store.kept(FILE);
  if (!kept || kept.ageMs > DAY_MS) return undefined;
  const list = parseKept(kept.text);
  return list && String(list.lists) === String(lists) ? list.releases : undefined;
}

/** Undefined, or without what it should hold, where somebody else wrote it: it is fetched anew then. */
function parseKept(text: string): Partial<KeptList> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

async function fetchList({ lists }: Source, web: Web): Promise<ListedRelease[]> {
  const obstacles: Obstacle[] = [];
  for (const url of lists) {
    try {
      return parseList(await web.text(url), url);
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      obstacles.push(error);
      if (!(error instanceof StatusObstacle && error.status === 404)) break;
    }
  }
  throw new Obstacle(obstacles.map(({ message }) => message).join('; '), { cause: obstacles.at(-1) });
}

/**
 * @param text in the format of https://downloads.mongodb.org/full.json
 * @throws Obstacle when it is in another
 */
export function parseList(text: string, url: string): ListedRelease[] {
  try {
    const { versions } = JSON.parse(text) as { versions: ListedRelease[] };
    return versions.filter(({ version }) => isUsable(version)).map(community);
  } catch (error) {
    throw new Obstacle(`${url} is no list of versions`, { cause: error });
  }
}

function community({ version, production_release = false, downloads = [] }: ListedRelease): ListedRelease {
  const builds = downloads.filter(({ edition, archive }) => EDITIONS.has(edition) && URL.canParse(archive?.url));
  return { version, production_release, downloads: builds.map(build) };
}

/** Those that `mongodb-download-url` looks at; others are source code and MongoDB Enterprise. */
const EDITIONS: ReadonlySet<string> = new Set(['targeted', 'base']);

function build({ edition, target, arch, archive: { url } }: ListedBuild): ListedBuild {
  return {
    edition,
    ...(target !== undefined && { target }),
    ...(arch !== undefined && { arch }),
    archive: { url },
  };
}
