/** Starts embedded servers for tests: each in a private folder, ended and removed by {@link endAll}. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { resolveEmbedded } from '../distributions/embedded.ts';
import { Home } from '../watcher.ts';
import { freePort, releasePorts } from './ports.fixture.ts';

/** How long a server may take to say or do what is awaited, in milliseconds; on a laden machine everything takes several times as long. */
const LIMIT_MS = 120_000;

/** A line of a server's log. */
export interface Line {
  s: string;
  c: string;
  id: number;
  ctx: string;
  msg: string;
  attr: Record<string, unknown>;
}

const children: ChildProcess[] = [];
const clients: MongoClient[] = [];
let home: Home | undefined;

/** Where everything of a test file is: who breaks the tests off leaves no server and no folder. */
function ownHome(): Home {
  home ??= new Home(mkdtempSync(join(tmpdir(), 'shardlab-test-')));
  return home;
}

/** A program under test, running or ended. */
export class Program {
  readonly child: ChildProcess;
  readonly #exited: Promise<{ code: number | null; signal: string | null }>;
  stdout = '';
  stderr = '';

  constructor(executable: string, args: readonly string[]) {
    this.child = spawn(executable, args, { env: ownHome().environment });
    this.#exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    children.push(this.child);
  }

  get lines(): Line[] {
    return this.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  }

  /** Resolves with the first log line of this id. */
  async line(id: number): Promise<Line> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const found = this.lines.find((line) => line.id === id);
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`no line ${id} in ${LIMIT_MS} ms: ${this.stdout}${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** How the process ended. */
  async exit(): Promise<{ code: number | null; signal: string | null }> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no exit in ${LIMIT_MS} ms: ${this.stdout}`)), LIMIT_MS).unref();
    });
    return Promise.race([this.#exited, late]);
  }

  /** Ends it and tells how it ended. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; signal: string | null }> {
    this.child.kill(signal);
    return this.exit();
  }
}

/** A `mongod` that answers. */
export type TestMongod = Program & { port: number; dbpath: string };

/** Starts a `mongod` and waits until it answers. */
export async function startMongod(
  args: readonly string[] = [],
  { port, dbpath }: { port?: number; dbpath?: string } = {},
): Promise<TestMongod> {
  const { mongod } = await resolveEmbedded();
  const at = port ?? (await freePort());
  const data = dbpath ?? (await privateFolder());
  const program = new Program(mongod, ['--port', String(at), '--dbpath', data, ...args]);
  await program.line(23016);
  return Object.assign(program, { port: at, dbpath: data });
}

/** Runs a program to its end. */
export async function runToEnd(
  executable: string,
  args: readonly string[],
): Promise<Program & { code: number | null }> {
  const program = new Program(executable, args);
  return Object.assign(program, { code: (await program.exit()).code });
}

/** A driver's client, connected. */
export async function connect(
  port: number,
  options: ConstructorParameters<typeof MongoClient>[1] = {},
): Promise<MongoClient> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    ...options,
  });
  clients.push(client);
  return client.connect();
}

/** A folder that {@link endAll} removes. */
export async function privateFolder(): Promise<string> {
  return mkdtemp(join(ownHome().folder, 'test-'));
}

/** Ends every process and client, and removes every folder, of the test file; its ports are free. */
export async function endAll(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  const problems = (await home?.close()) ?? [];
  home = undefined;
  releasePorts();
  if (problems.length > 0) throw new Error(problems.join('; '));
}
