/** What becomes of the records of a run: they are written, or held against the ones that are kept. */
import type { ResultRecord } from '../experiments/harness/record.ts';
import { dropNote, keepNote } from './not-run.ts';
import { differingRecord, type Output, prepare, writePages, writeResult } from './results.ts';

/** See the file's comment. */
export class Ledger {
  readonly records: ResultRecord[] = [];
  /** Patches of what differs from the records that are kept; always empty for one that writes. */
  readonly differences: string[] = [];
  readonly #output: Output;
  #isNoted = false;
  /** Undoes what was made for writing; undefined in a ledger that only compares. */
  readonly #undo: (() => Promise<void>) | undefined;

  private constructor(output: Output, undo: (() => Promise<void>) | undefined) {
    this.#output = output;
    this.#undo = undo;
  }

  /**
   * @param writes false to change nothing and only compare
   * @throws InputError when results are to be written and cannot be
   */
  static async open(output: Output, writes: boolean): Promise<Ledger> {
    return new Ledger(output, writes ? await prepare(output) : undefined);
  }

  async enter(record: ResultRecord): Promise<void> {
    this.records.push(record);
    if (this.#undo) await writeResult(this.#output, record);
    else this.differences.push(...(await differingRecord(this.#output, record)));
  }

  /**
   * Notes why a version has no results, or not all, for the matrix to name it; without a reason the note on it goes.
   * @param asked the version as it was asked for
   */
  async note(asked: string, reason: string | undefined): Promise<void> {
    const version = this.records[0]?.environment.version;
    const { results } = this.#output;
    this.#isNoted = reason !== undefined;
    if (reason === undefined) await dropNote(results, asked);
    else await keepNote(results, { format: 1, asked, reason, ...(version !== undefined && { version }) });
  }

  /** Brings the index up to date, after a run that was broken off as well. */
  async close(): Promise<void> {
    if (!this.#undo) return;
    if (this.records.length > 0 || this.#isNoted) await writePages(this.#output);
    else await this.#undo();
  }
}
