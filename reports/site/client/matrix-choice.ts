/** What the matrix shows, apart from how. */

/** A row of the table. */
export interface RowFacts {
  /** Every verdict that occurs in it. */
  readonly verdicts: readonly string[];
  /** Real versions were seen to differ. */
  readonly differs: boolean;
}

/** What the reader chose. */
export interface Choice {
  /** Empty for any. */
  readonly verdict: string;
  readonly differing: boolean;
}

export function isChosen({ verdicts, differs }: RowFacts, { verdict, differing }: Choice): boolean {
  return (verdict === '' || verdicts.includes(verdict)) && (differs || !differing);
}
