/** Requests that end: through the proxies that the environment names, each with deadlines, each failure in words. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { InputError } from '../../errors.ts';
import { bounded, TimeExpired } from '../../waiting.ts';
import { Obstacle } from './errors.ts';

/** How long things may take, in milliseconds. */
export interface Limits {
  /** Until a server answers, connecting and TLS included. */
  answer: number;
  /** Between two pieces of a reply. */
  idle: number;
  /** For one reply, however many times it breaks off. */
  total: number;
  /** Before a broken transfer is taken up again. */
  pause: number;
}

/** 20 s for an answer, 30 s without a byte, half an hour for an archive: 100 MB at 0.5 Mbit/s. */
const LIMITS: Limits = { answer: 20_000, idle: 30_000, total: 1_800_000, pause: 1_000 };

/** How many times a reply may begin. */
export const ATTEMPTS = 3;

type Undici = typeof import('undici');

/** A reply whose headers are there. */
export type Reply = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** The web as this process may reach it. Closing it ends what is still under way. */
export class Web implements AsyncDisposable {
  readonly limits: Limits;
  readonly #undici: Undici;
  readonly #dispatcher: Dispatcher;
  readonly #signal: AbortSignal | undefined;

  private constructor(undici: Undici, dispatcher: Dispatcher, limits: Limits, signal: AbortSignal | undefined) {
    this.#undici = undici;
    this.#dispatcher = dispatcher;
    this.limits = limits;
    this.#signal = signal;
  }

  /**
   * @param environment where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, in lower case first
   * @param signal ends every request with its reason
   * @throws InputError when a proxy's address is none
   */
  static async open(environment: NodeJS.ProcessEnv, limits = LIMITS, signal?: AbortSignal): Promise<Web> {
    const undici = await import('undici'); // slow to load, and not needed when the servers are cached
    const dispatcher = proxied(undici, environment, limits.answer);
    return new Web(undici, dispatcher.compose(undici.interceptors.redirect({ maxRedirections: 5 })), limits, signal);
  }

  /**
   * @throws Obstacle when no server answers in time, or answers with another status than 200 or 206
   */
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const given = new AbortController();
    const sent = this.#undici.request(url, {
      dispatcher: this.#dispatcher,
      headers: { ...headers },
      signal: this.#any(given.signal),
      headersTimeout: this.limits.answer,
      bodyTimeout: this.limits.idle,
    });
    try {
      const reply = await bounded(sent, this.limits.answer, this.#signal);
      if (reply.statusCode === 200 || reply.statusCode === 206) return reply;
      given.abort();
      throw new StatusObstacle(url, reply.statusCode);
    } catch (error) {
      given.abort();
      this.#signal?.throwIfAborted();
      throw error instanceof StatusObstacle ? error : unreachable(url, error, this.limits.answer);
    }
  }

  /**
   * The whole reply, which must be a short one; asked for again where it breaks off.
   * @throws Obstacle as {@link get}, and when it breaks off three times or takes too long
   */
  async text(url: string): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const { body } = await this.get(url);
      try {
        return await bounded(body.text(), this.limits.total, this.#signal);
      } catch (error) {
        this.#signal?.throwIfAborted();
        if (error instanceof TimeExpired)
          throw new Obstacle(`${url} took longer than ${this.limits.total / 60_000} minutes`);
        if (attempt === ATTEMPTS)
          throw new Obstacle(`${url} broke off ${ATTEMPTS} times (${messageOf(error)})`, { cause: error });
        await sleep(this.limits.pause);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.destroy();
  }

  #any(signal: AbortSignal): AbortSignal {
    return this.#signal ? AbortSignal.any([this.#signal, signal]) : signal;
  }
}

/** A server answered, but not with what was asked for. */
export class StatusObstacle extends Obstacle {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered with status ${status}`);
    this.status = status;
  }
}

/** What an error says, and the error below it where it says nothing itself. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || messageOf(error.cause);
}

function proxied({ Agent, EnvHttpProxyAgent }: Undici, environment: NodeJS.ProcessEnv, timeout: number): Dispatcher {
  const httpProxy = withScheme(environment.http_proxy ?? environment.HTTP_PROXY ?? '');
  const httpsProxy = withScheme(environment.https_proxy ?? environment.HTTPS_PROXY ?? '');
  const noProxy = environment.no_proxy ?? environment.NO_PROXY ?? '';
  const connect = { timeout };
  if (!httpProxy && !httpsProxy) return new Agent({ connect });
  try {
    return new EnvHttpProxyAgent({ connect, httpProxy, httpsProxy, noProxy });
  } catch (error) {
    throw new InputError(`HTTPS_PROXY or HTTP_PROXY is no proxy’s address: ${messageOf(error)}`, { cause: error });
  }
}

/** `proxy:3128`, as other programs take it. */
function withScheme(proxy: string): string {
  return proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`;
}

function unreachable(url: string, error: unknown, limitMs: number): Obstacle {
  return new Obstacle(unreachableText(new URL(url).host, error, limitMs), { cause: error });
}

/** Why a server could not be reached; pure. */
export function unreachableText(host: string, error: unknown, limitMs: number): string {
  const {
    code = '',
    hostname = host,
    address,
    port,
  } = error as NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number }; // a proxy's, where there is one
  if (error instanceof TimeExpired || TIMEOUTS.has(code)) return `${host} did not answer within ${limitMs / 1000} s`;
  if (UNKNOWN.has(code))
    return `the name ${hostname} cannot be looked up (${code}): there is no network, or it does not know the name`;
  if (code === 'ECONNREFUSED')
    return `${host} cannot be reached: ${address ? `${address}:${port}` : 'it'} refuses connections`;
  const advice = UNTRUSTED.has(code)
    ? '; where a proxy opens TLS, NODE_EXTRA_CA_CERTS names the file of its certificate'
    : '';
  return `${host} cannot be reached (${messageOf(error)})${advice}`;
}

const TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']);
/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const UNKNOWN: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);
