/**
 * Log lines as servers since 4.4 write them, one JSON document each on stdout
 * (https://www.mongodb.com/docs/manual/reference/log-messages/).
 */
import { writeSync } from 'node:fs';

/** Fatal, error, warning, information. */
export type Severity = 'F' | 'E' | 'W' | 'I';

/** The part of a line that varies from one message to another; see the server's own names for them. */
export interface LogEntry {
  severity?: Severity;
  /** `CONTROL`, `NETWORK`, `REPL` … */
  component: string;
  /** The server's number of the message. */
  id: number;
  /** The thread that speaks, `initandlisten` and so on. */
  context?: string;
  message: string;
  attributes?: Record<string, unknown>;
}

/** As many lines as `getLog` returns (src/mongo/logv2/ramlog.h). */
const KEPT_LINES = 1024;
const kept: string[] = [];
let written = 0;

/** Writes one line and keeps it. */
export function log(entry: LogEntry): void {
  const line = logLine(entry, new Date());
  kept.push(line);
  if (++written > KEPT_LINES) kept.shift();
  try {
    writeSync(1, `${line}\n`);
  } catch {
    // nobody reads any more, or the log's disk is full: no reason to stop serving
  }
}

/** One line without its newline, in the server's field order. */
export function logLine(entry: LogEntry, time: Date): string {
  return JSON.stringify({
    t: { $date: time.toISOString().replace('Z', '+00:00') },
    s: entry.severity ?? 'I',
    c: entry.component,
    id: entry.id,
    ctx: entry.context ?? 'initandlisten',
    msg: entry.message,
    ...(entry.attributes ? { attr: entry.attributes } : {}),
  });
}

/** The last lines, oldest first. */
export function recentLines(): readonly string[] {
  return kept;
}

/** How many lines there have been. */
export function linesWritten(): number {
  return written;
}
