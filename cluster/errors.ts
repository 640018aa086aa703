/** The errors of the public library. Each has a `name`, its facts as fields, and a text made by one pure function. */

/** Something asked for cannot be meant: a bad option, a folder without `mongos`. Scripts end with exit code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** What is known of a member that did not do what was awaited. */
export interface Failure {
  /** `cfg`, `sh0`, `mongos` … */
  member: string;
  /** What was awaited: `readiness for connections`. */
  awaited: string;
  /** For how long, in milliseconds. */
  ms: number;
  /** What ended the wait, said of the member: `exited with code 14`; undefined when time ran out. */
  ending?: string | undefined;
  /** The server's own last error lines, oldest first; where it ended or hung without an error, its last lines of any kind. */
  serverLines: readonly string[];
}

/** The cluster could not be started. Everything that had been started is stopped again. Scripts end with exit code 3. */
export class ClusterStartError extends Error implements Failure {
  override readonly name = 'ClusterStartError';
  readonly member: string;
  readonly awaited: string;
  readonly ms: number;
  readonly ending: string | undefined;
  readonly serverLines: readonly string[];

  /** `cause` is the error below, where there is one: a driver's, the operating system's. */
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failureText(failure), options);
    this.member = failure.member;
    this.awaited = failure.awaited;
    this.ms = failure.ms;
    this.ending = failure.ending;
    this.serverLines = failure.serverLines;
  }
}

/** What to throw when something could not even be tried. */
export function couldNot(member: string, what: string, cause: unknown): ClusterStartError {
  const ending = `could not ${what} (${cause instanceof Error ? cause.message : cause})`;
  return new ClusterStartError({ member, awaited: 'its start', ms: 0, ending, serverLines: [] }, { cause });
}

/** A member of a running cluster ended although nobody asked it to. */
export class MemberDiedError extends Error {
  override readonly name = 'MemberDiedError';
  readonly member: string;
  /** `exited with code 14`, `was killed by SIGKILL`. */
  readonly ending: string;
  readonly serverLines: readonly string[];

  constructor(member: string, ending: string, serverLines: readonly string[]) {
    super(quoting(`${member} ${ending} while the cluster was running`, serverLines));
    this.member = member;
    this.ending = ending;
    this.serverLines = serverLines;
  }
}

/** The text of a {@link ClusterStartError}: member, how it ended, what was awaited and how long, the server's own words. */
export function failureText({ member, awaited, ms, ending, serverLines }: Failure): string {
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  const outcome = ending
    ? `${member} ${ending} after ${seconds}, while ${awaited} was awaited`
    : `${member}: ${awaited} was awaited for ${seconds}, until the time to start was up`;
  return quoting(`The cluster did not start: ${outcome}`, serverLines);
}

function quoting(text: string, lines: readonly string[]): string {
  return [text, ...lines.map((line) => `  | ${line}`)].join('\n');
}
