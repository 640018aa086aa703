/** Where MongoDB's archives and the list of its versions are fetched from. */
import { InputError } from '../../errors.ts';

/** MongoDB's own list; a mirror has it at `<mirror>/full.json`. */
const LIST = 'https://downloads.mongodb.org/full.json';
/** MongoDB's own archives. */
const ARCHIVES = 'https://fastdl.mongodb.org';

/** See the file's comment. */
export interface Source {
  /** Where the list of versions is looked for, in this order. */
  lists: readonly string[];
  /** Without a slash at the end. */
  archives: string;
}

/**
 * @param environment MONGOMS_DOWNLOAD_MIRROR names a mirror of fastdl.mongodb.org. Where it has no `full.json`, MongoDB's own list is taken
 * @throws InputError when that is no http(s) address, or one with credentials
 */
export function sourceOf(environment: NodeJS.ProcessEnv): Source {
  const mirror = environment.MONGOMS_DOWNLOAD_MIRROR;
  if (!mirror) return { lists: [LIST], archives: ARCHIVES };
  if (!URL.canParse(mirror) || !/^https?:$/.test(new URL(mirror).protocol)) {
    throw new InputError(`MONGOMS_DOWNLOAD_MIRROR is no http or https address: ${mirror}`);
  }
  const { username, password } = new URL(mirror);
  if (username || password) {
    throw new InputError('MONGOMS_DOWNLOAD_MIRROR holds a user or a password: addresses are shown, in reports too');
  }
  const archives = mirror.replace(/\/+$/, '');
  return { lists: [`${archives}/full.json`, LIST], archives };
}

/** The address of an archive at the source: the list names MongoDB's own hosts. */
export function addressAt({ archives }: Source, listed: string): string {
  return `${archives}${new URL(listed).pathname}`;
}
