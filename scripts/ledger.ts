/** What becomes of the records of a run: they are written, or held against the ones that are kept. */
import type { ResultRecord } from '../experiments/harness/record.ts';
import { differingRecord, type Output, prepare, writePages, writeResult } from './results.ts';

/** See the file's comment. */
export class Ledger {
  readonly records: ResultRecord[] = [];
  /** Patches of what differs from the records that are kept; always empty for one that writes. */
  readonly differences: string[] = [];
  readonly #output: Output;
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

  /** Brings the index up to date, after a run that was broken off as well. */
  async close(): Promise<void> {
    if (!this.#undo) return;
    if (this.records.length > 0) await writePages(this.#output);
    else await this.#undo();
  }
}
