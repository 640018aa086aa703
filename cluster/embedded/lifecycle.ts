/** How a `mongod` or `mongos` process starts and ends: exit codes, signals, last log lines (src/mongo/util/signal_handlers.cpp, exit.cpp). */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BAD_OPTIONS, CommandLineError } from './flags.ts';
import { type LogEntry, log } from './log.ts';

/** How long a program that is still starting may take to come up before its process ends without it, in milliseconds. */
const START_LIMIT_MS = 2_000;
/** How long one that is up may take to close, in milliseconds: the disk may be slow. */
const CLOSE_LIMIT_MS = 30_000;
/** The signals that end a server in order, with their number and the C library's words for them. */
const SIGNALS = {
  SIGHUP: { signal: 1, error: 'Hangup' },
  SIGINT: { signal: 2, error: 'Interrupt' },
  SIGTERM: { signal: 15, error: 'Terminated' },
} as const;

/** The program cannot start, for a reason that servers log with a line and an exit code of its own. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly entry: LogEntry;
  readonly exitCode: number;

  /** @param exitCode see src/mongo/util/exit_code.h: 48 for a port, 100 for a data directory */
  constructor(entry: LogEntry, exitCode: number) {
    super(entry.message);
    this.entry = entry;
    this.exitCode = exitCode;
  }
}

/** A program that is up. */
export interface Running {
  /** Frees what it holds; called once, when the process is to end. */
  close(): Promise<void>;
}

/**
 * Runs a program until SIGTERM, SIGINT or its own `shutdown` ends it with exit code 0.
 * @param start brings it up; gets the function that ends it as if by a signal. May resolve with nothing when there is nothing to run (`--version`)
 */
export async function runProgram(start: (shutdown: () => void) => Promise<Running | undefined>): Promise<void> {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    void close(starting);
  };
  for (const [name, attributes] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      logSignal(attributes);
      end();
    });
  }
  const starting = start(end);
  const running = await starting.catch(fail);
  if (!running) process.exit(0);
}

function logSignal(attributes: { signal: number; error: string }): void {
  log({ component: 'CONTROL', id: 23377, context: 'SignalHandler', message: 'Received signal', attributes });
}

/** Ends the process, bounded: what is still starting may wait for ever, as a router does for its config server. */
async function close(starting: Promise<Running | undefined>): Promise<void> {
  const closed = Promise.race([starting, sleep(START_LIMIT_MS, undefined)]).then((running) => running?.close());
  await Promise.race([closed, sleep(CLOSE_LIMIT_MS)]).catch((error: unknown) => {
    log({
      severity: 'E',
      component: 'CONTROL',
      id: 9_990_002,
      context: 'SignalHandler',
      message: `Close failed: ${error}`,
    });
  });
  log({ component: 'CONTROL', id: 20565, context: 'SignalHandler', message: 'Now exiting' });
  log({
    component: 'CONTROL',
    id: 23138,
    context: 'SignalHandler',
    message: 'Shutting down',
    attributes: { exitCode: 0 },
  });
  process.exit(0);
}

function fail(error: unknown): never {
  if (error instanceof StartError) {
    log(error.entry);
    process.exit(error.exitCode);
  }
  if (error instanceof CommandLineError) {
    writeSync(2, `${error.message}\n`);
    process.exit(BAD_OPTIONS);
  }
  throw error;
}
