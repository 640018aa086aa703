/** Waits that end. */

/** Thrown by {@link bounded} when time runs out. */
export class TimeExpired extends Error {
  override readonly name = 'TimeExpired';
}

/**
 * What `promise` becomes, unless time runs out or the signal aborts first; what it becomes later is ignored.
 * @param ms milliseconds
 * @throws TimeExpired; the signal's reason; what `promise` rejects with
 */
export async function bounded<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  const cleared = new AbortController();
  const cut = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new TimeExpired(`nothing within ${ms} ms`)), ms);
    const abort = (): void => reject(signal?.reason);
    cleared.signal.addEventListener('abort', () => clearTimeout(timer));
    signal?.addEventListener('abort', abort, { signal: cleared.signal });
    if (signal?.aborted) abort();
  });
  return Promise.race([promise, cut]).finally(() => cleared.abort());
}

/**
 * Waits until all have settled.
 * @param onFirstFailure told at once, so that the others can be called off
 * @throws what was rejected first in time
 */
export async function allOrFirstFailure<T>(
  promises: readonly Promise<T>[],
  onFirstFailure: (error: unknown) => void,
): Promise<T[]> {
  let failure: { error: unknown } | undefined;
  const note = (error: unknown): void => {
    if (failure) return;
    failure = { error };
    onFirstFailure(error);
  };
  for (const promise of promises) promise.catch(note);
  await Promise.allSettled(promises);
  if (failure) throw failure.error;
  return Promise.all(promises);
}
