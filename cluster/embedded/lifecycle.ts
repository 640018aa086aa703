/** How a `mongod` or `mongos` process starts and ends: exit codes, signals, last log lines (src/mongo/util/signal_handlers.cpp, exit.cpp). */
import { BAD_OPTIONS, CommandLineError } from './flags.ts';
import { type LogEntry, log } from './log.ts';

/** How long a program may take to close before its process ends without it, in milliseconds. */
const CLOSE_LIMIT_MS = 2_000;
const SIGNALS = { SIGTERM: 15, SIGINT: 2 } as const;
const SIGNAL_TEXTS = { SIGTERM: 'Terminated', SIGINT: 'Interrupt' } as const;

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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logSignal(signal);
      end();
    });
  }
  const starting = start(end);
  const running = await starting.catch(fail);
  if (!running) process.exit(0);
}

function logSignal(signal: keyof typeof SIGNALS): void {
  log({
    component: 'CONTROL',
    id: 23377,
    context: 'SignalHandler',
    message: 'Received signal',
    attributes: { signal: SIGNALS[signal], error: SIGNAL_TEXTS[signal] },
  });
}

/** Ends the process, bounded: the engine's own close waits for commands under way, and for ever while writes are locked. */
async function close(starting: Promise<Running | undefined>): Promise<void> {
  const closed = starting.then((running) => running?.close());
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS));
  await Promise.race([closed, timeout]).catch((error: unknown) => {
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
    process.stderr.write(`${error.message}\n`);
    process.exit(BAD_OPTIONS);
  }
  throw error;
}
