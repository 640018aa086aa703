/** The errors of the public library. Each has a `name`, its facts as fields, and a text made by one pure function. */

/** Something asked for cannot be meant: a bad option, a folder without `mongos`. Scripts end with exit code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** What is known of a member that did not do what was awaited. */
export interface Failure {
  /** `cfg`, `sh0`, `mongos` …; `cluster` where no single member is at fault. */
  member: string;
  /** What was awaited, as it stands behind "waiting for": `the port to be opened`. */
  awaited: string;
  /** For how long, in milliseconds. */
  ms: number;
  /** What ended the wait, in one clause: `it exited with code 14`; undefined when time ran out. */
  ending?: string | undefined;
  /** The server's own last error lines, oldest first; its last lines of any kind where it reported no error. */
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

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failureText(failure), options);
    this.member = failure.member;
    this.awaited = failure.awaited;
    this.ms = failure.ms;
    this.ending = failure.ending;
    this.serverLines = failure.serverLines;
  }

  /** The text without the server's lines. */
  get shortMessage(): string {
    return headline(this);
  }
}

/** A member of a running cluster ended although nobody asked it to. */
export class MemberDiedError extends Error {
  override readonly name = 'MemberDiedError';
  readonly member: string;
  /** `it exited with code 14`, `it was killed by SIGKILL`. */
  readonly ending: string;
  readonly serverLines: readonly string[];

  constructor(member: string, ending: string, serverLines: readonly string[]) {
    super(quoting(`${member} ended while the cluster was running: ${ending}`, serverLines));
    this.member = member;
    this.ending = ending;
    this.serverLines = serverLines;
  }
}

/** The text of a {@link ClusterStartError}: member, what was awaited, how long, how it ended, the server's own words. */
export function failureText(failure: Failure): string {
  return quoting(headline(failure), failure.serverLines);
}

function headline({ member, awaited, ms, ending }: Failure): string {
  const waited = `${(ms / 1000).toFixed(1)} s`;
  return ending
    ? `${member} could not be started: ${ending} after ${waited} of waiting for ${awaited}`
    : `${member} could not be started: gave up after ${waited} of waiting for ${awaited}`;
}

function quoting(text: string, lines: readonly string[]): string {
  return lines.length === 0 ? text : `${text}\n${lines.map((line) => `  | ${line}`).join('\n')}`;
}
