/** Says on stderr how a run gets on: a line for each experiment, and on a terminal also which is under way, for how long, and which wait. */
import ora, { type Ora } from 'ora';
import type { Experiment } from '../experiments/harness/define.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { fileName } from '../reports/sets.ts';
import { doneText, nameColumn, placeOf, plainLine, underWayText } from './progress-text.ts';
import { isLive, sayWrapped, screenOf } from './terminal.ts';

/** See the file's comment. Times go nowhere else: no record depends on them. */
export class Progress {
  readonly #names: readonly string[];
  readonly #longest: number;
  #since = 0;
  #place: string | undefined;
  #spinner: Ora | undefined;

  constructor(chosen: readonly Experiment[]) {
    this.#names = chosen.map(fileName);
    this.#longest = Math.max(...this.#names.map((name) => name.length));
  }

  begin(experiment: Experiment): void {
    this.#since = performance.now();
    if (isLive(process.stderr)) this.#spinner = this.#started(fileName(experiment));
  }

  threw(error: unknown): void {
    this.#place = placeOf(error);
  }

  done(record: ResultRecord): void {
    const done = { record, ms: this.#elapsed(), place: this.#place };
    this.#place = undefined;
    this.stop();
    if (isLive(process.stderr)) console.error(doneText(done, this.#longest, screenOf(process.stderr)));
    else sayWrapped(plainLine(done));
  }

  /** Nothing is under way any more; the terminal has its cursor back. */
  stop(): void {
    this.#spinner?.stop();
    this.#spinner = undefined;
  }

  #started(name: string): Ora {
    const { columns, colors } = screenOf(process.stderr);
    const waiting = this.#names.slice(this.#names.indexOf(name) + 1);
    const spinner = ora({
      stream: process.stderr,
      color: colors.isColorSupported ? 'cyan' : false,
      discardStdin: false, // it would take Ctrl-C away from us
      text: nameColumn(name, this.#longest, columns),
      suffixText: () => underWayText(this.#elapsed(), waiting, this.#longest, screenOf(process.stderr)),
    });
    spinner.render = atOnce(spinner.render.bind(spinner));
    return spinner.start();
  }

  #elapsed(): number {
    return performance.now() - this.#since;
  }
}

/** What a picture consists of in one write: a terminal that shows what has come so far would flicker. */
function atOnce<T>(draw: () => T): () => T {
  return () => {
    process.stderr.cork();
    try {
      return draw();
    } finally {
      process.stderr.uncork();
    }
  };
}
