/** Lines that servers write: cut out of chunks, remembered, and understood. Touches no process. */

/** Cuts text that comes in chunks into lines. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: string): void {
    const lines = (this.#rest + chunk).split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
    if (this.#rest.length > LONGEST_LINE) this.end();
  }

  /** Hands over what came without a newline. */
  end(): void {
    if (this.#rest) this.#onLine(this.#rest);
    this.#rest = '';
  }
}

/** Longer lines are cut there: a server that writes without newlines must not fill our memory. */
const LONGEST_LINE = 65_536;

/** The last lines of one server, as many as an error needs. */
export class LogTail {
  readonly #recent: string[] = [];
  readonly #errors: string[] = [];

  push(line: string): void {
    if (line.trim() === '') return;
    remember(this.#recent, line);
    if (isError(line)) remember(this.#errors, line);
  }

  /** The server's last error lines, oldest first. */
  errorLines(): string[] {
    return [...this.#errors];
  }

  /** The same of a server that has ended or hangs: where it reported no error, its last lines of any kind. */
  lastWords(): string[] {
    return [...(this.#errors.length > 0 ? this.#errors : this.#recent)];
  }
}

const KEPT_LINES = 5;
const QUOTED_CHARACTERS = 500;

function remember(lines: string[], line: string): void {
  lines.push(line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line);
  if (lines.length > KEPT_LINES) lines.shift();
}

/** Errors are JSON lines of severity E or F; what is no JSON was not written by the log and is most likely a complaint. */
function isError(line: string): boolean {
  const entry = logEntry(line);
  return !entry || entry.s === 'E' || entry.s === 'F';
}

/** The log id of "Waiting for connections" (src/mongo/transport/…/asio_transport_layer.cpp; seen on 4.4 and later). */
const WAITING_FOR_CONNECTIONS = 23016;

/** Whether a line says that the server accepts connections. */
export function saysReady(line: string): boolean {
  const entry = logEntry(line);
  return entry ? entry.id === WAITING_FOR_CONNECTIONS : /waiting for connections/i.test(line);
}

/** Whether a line says that the port belongs to somebody else: log ids 20568 (mongod) and 22856 (mongos), or plain text. */
export function saysPortTaken(line: string): boolean {
  return /address already in use/i.test(line);
}

/** A line of the structured log (https://www.mongodb.com/docs/manual/reference/log-messages/); undefined for any other. */
function logEntry(line: string): { s?: unknown; id?: unknown } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined; // cut off, or no JSON after all
  }
}
