/** Brings a large file over the network, taking it up again where it broke off. */
import { type FileHandle, open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Obstacle } from './errors.ts';
import { ATTEMPTS, messageOf, type Reply, type Web } from './web.ts';

/** How far a transfer is, in bytes; `total` is undefined where the server does not say. */
export interface Progress {
  received: number;
  total: number | undefined;
}

/**
 * @param file a new one; what it holds after an error is not the file
 * @param onProgress told of every piece
 * @throws Obstacle when no server answers, when the transfer breaks off three times or takes too long; the file system's error
 */
export async function transfer(
  url: string,
  file: string,
  { web, signal, onProgress }: { web: Web; signal?: AbortSignal | undefined; onProgress: (progress: Progress) => void },
): Promise<void> {
  const deadline = AbortSignal.timeout(web.limits.total);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const state: State = { received: 0, total: undefined, validator: undefined };
  await using output = await open(file, 'a');
  for (let attempt = 1; ; attempt++) {
    try {
      return await receive(url, output, state, { web, ending, onProgress });
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted)
        throw new Obstacle(`${url} took longer than ${web.limits.total / 60_000} minutes; ${extent(state)} had come`);
      if (!(error instanceof BrokenOff)) throw error;
      if (attempt === ATTEMPTS)
        throw new Obstacle(`${url} broke off ${ATTEMPTS} times, last after ${extent(state)} (${error.message})`, {
          cause: error,
        });
      await sleep(web.limits.pause, undefined, { signal: ending }).catch(() => {}); // the next attempt finds it aborted
    }
  }
}

/** `1.5 of 95.0 MB` */
export function extent({ received, total }: Progress): string {
  return total === undefined ? `${megabytes(received)} MB` : `${megabytes(received)} of ${megabytes(total)} MB`;
}

interface State extends Progress {
  /** Tells whether the file is still the same (https://www.rfc-editor.org/rfc/rfc9110#name-if-range). */
  validator: string | undefined;
}

/** The reply ended before it was complete. */
class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

interface Receiving {
  web: Web;
  ending: AbortSignal;
  onProgress: (progress: Progress) => void;
}

async function receive(
  url: string,
  output: FileHandle,
  state: State,
  { web, ending, onProgress }: Receiving,
): Promise<void> {
  ending.throwIfAborted();
  const reply = await web.get(url, rangeHeaders(state));
  const resumed =
    reply.statusCode === 206 && reply.headers['content-range']?.toString().startsWith(`bytes ${state.received}-`);
  if (!resumed && state.received > 0) await output.truncate();
  if (!resumed) state.received = 0;
  const length = Number(reply.headers['content-length'] ?? Number.NaN);
  state.total = Number.isNaN(length) ? undefined : state.received + length;
  state.validator = validatorOf(reply);
  for await (const piece of piecesOf(reply, ending)) {
    await output.appendFile(piece);
    state.received += piece.length; // which is then in the file: behind it the next attempt goes on
    onProgress(state);
  }
}

function rangeHeaders({ received, validator }: State): Record<string, string> {
  if (received === 0 || validator === undefined) return {};
  return { range: `bytes=${received}-`, 'if-range': validator };
}

/** A weak one promises too little for this. */
function validatorOf({ headers }: Reply): string | undefined {
  const tag = headers.etag?.toString();
  return tag && !tag.startsWith('W/') ? tag : headers['last-modified']?.toString();
}

/** Tells an error of the network from one of the disk. */
async function* piecesOf({ body }: Reply, ending: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* addAbortSignal(ending, body) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new BrokenOff(messageOf(error), { cause: error });
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
