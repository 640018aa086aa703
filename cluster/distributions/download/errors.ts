/** Why servers cannot be had. */

/** A version of MongoDB cannot be had: it is not cached and cannot be fetched, or is not what it should be. Scripts end with exit code 3. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** The version or range as it was asked for. */
  readonly asked: string;
  /** Why, as a clause without a full stop. */
  readonly reason: string;

  constructor(asked: string, reason: string, options?: ErrorOptions) {
    super(`MongoDB ${asked} cannot be had: ${reason}`, options);
    this.asked = asked;
    this.reason = reason;
  }
}

/** What stands in the way of one step of a download. Its message becomes the reason of a {@link DownloadError}. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle';
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EISDIR', 'EEXIST']);

/**
 * What a failed write to the cache, or to another folder, means.
 * @param variable names another folder instead
 * @returns an {@link Obstacle} where the operating system's code says it; the error itself where it is another
 */
export function cacheProblem(folder: string, error: unknown, variable = 'MONGOMS_DOWNLOAD_DIR'): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (FULL.has(code)) {
    return new Obstacle(`the disk that holds ${folder} is full (${code}); ${variable} can name another folder`, {
      cause: error,
    });
  }
  if (UNWRITABLE.has(code)) {
    return new Obstacle(`${folder} cannot be written (${code}); ${variable} can name another folder`, { cause: error });
  }
  return error;
}
