/** A mirror of MongoDB's archives on this machine, which misbehaves as a test wants. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import type { ListedRelease } from './lookup.ts';
import type { Limits } from './web.ts';

/** Answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** See the file's comment. Requests to a path that is not in `paths` are answered with 404. */
export class Mirror implements AsyncDisposable {
  /** Every request as `<method> <path>`, in order; with ` <range>` behind it where a part was asked for. */
  readonly requests: string[] = [];
  readonly paths = new Map<string, Buffer | string | Answer>();
  /** When the last request began, by `performance.now()`. */
  lastAsked = Number.NEGATIVE_INFINITY;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(): Promise<Mirror> {
    const mirror = new Mirror();
    mirror.#server.listen(0, '127.0.0.1');
    await once(mirror.#server, 'listening');
    return mirror;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Offers a release, the same archive for each build, with its checksum. */
  offer(version: string, archive: Buffer, builds: readonly Build[] = [DEBIAN]): void {
    for (const path of builds.map((build) => archivePath(version, build))) {
      this.paths.set(path, archive).set(`${path}.sha256`, `${sha256(archive)}  ${path.split('/').at(-1)}\n`);
    }
    this.list([...this.#releases, releaseOf(version, builds)]);
  }

  #releases: ListedRelease[] = [];

  /** Replaces the list of versions. */
  list(releases: readonly ListedRelease[]): void {
    this.#releases = [...releases];
    this.paths.set('/full.json', JSON.stringify({ versions: releases }));
  }

  /** How many requests for that path began. */
  count(path: string): number {
    return this.requests.filter((request) => request.split(' ')[1] === path).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '', headers } = request;
    this.lastAsked = performance.now();
    this.requests.push([method, url, headers.range].filter(Boolean).join(' '));
    const answer = this.paths.get(url);
    if (typeof answer === 'function') answer(request, response);
    else response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }
}

/** A mirror whose name is known to be none without a name server being asked. */
export const NOWHERE = 'http://mirror..invalid';

/** What a mirror on this machine keeps, however laden that is. */
export const LIMITS: Limits = { answer: 15_000, idle: 15_000, total: 60_000, pause: 10 };

/** A build as the list of versions names it. */
export interface Build {
  target: string;
  arch: string;
}

/** The build of {@link DEBIAN_MACHINE}. */
export const DEBIAN: Build = { target: 'debian12', arch: 'x86_64' };

/** Builds for every machine that these tests may run on. */
export const EVERYWHERE: readonly Build[] = ['x86_64', 'aarch64', 'arm64'].flatMap((arch) =>
  ['debian12', 'ubuntu2204', 'ubuntu2404', 'rhel93', 'suse15', 'amazon2023', 'macos'].map((target) => ({
    target,
    arch,
  })),
);

/** A machine for tests, whatever they run on. */
export const DEBIAN_MACHINE = {
  platform: 'linux',
  arch: 'x64',
  osRelease: { ID: 'debian', VERSION_ID: '12', PRETTY_NAME: 'Debian GNU/Linux 12 (bookworm)' },
} as const;

/** A release of the list. */
export function releaseOf(version: string, builds: readonly Build[] = [DEBIAN], ending = 'tgz'): ListedRelease {
  const downloads = builds.map((build) => ({
    edition: 'targeted',
    ...build,
    archive: { url: `https://fastdl.mongodb.org${archivePath(version, build, ending)}` },
  }));
  return { version, production_release: !version.includes('-'), downloads };
}

/** Where an archive is, on MongoDB's server and on a mirror. */
export function archivePath(version: string, { target, arch }: Build = DEBIAN, ending = 'tgz'): string {
  return `/linux/mongodb-linux-${arch}-${target}-${version}.${ending}`;
}

/** An archive as MongoDB publishes it, with these entries beside the two programs; `undefined` leaves one of those out. */
export async function archiveOf(
  version: string,
  changes: Readonly<Record<string, Partial<Header> | string | undefined>> = {},
): Promise<Buffer> {
  const entries: Record<string, Partial<Header> | string | undefined> = {
    'LICENSE-Community.txt': 'SSPL',
    'bin/install_compass': 'no',
    'bin/mongod': program('db', version),
    'bin/mongos': program('mongos', version),
    ...changes,
  };
  const archive = pack();
  for (const [name, entry] of Object.entries(entries)) {
    const path = name.startsWith('/') ? name : `mongodb-linux-x86_64-debian12-${version}/${name}`;
    if (typeof entry === 'string') archive.entry({ name: path, mode: 0o755 }, entry);
    else if (entry) archive.entry({ ...entry, name: path });
  }
  archive.finalize();
  return buffer(archive.pipe(createGzip()));
}

/** Of a file's content, in hexadecimal digits. */
export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function program(name: string, version: string): string {
  return `#!/bin/sh\necho '${name} version v${version}'\n`;
}
