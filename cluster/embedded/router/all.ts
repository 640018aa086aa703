/** Several things at once, none of which goes on behind the back of whoever asked for them. */

/** Waits for all, so that nothing is left running, then throws what the first of them that failed threw. */
export async function all<T extends readonly unknown[] | []>(
  running: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
