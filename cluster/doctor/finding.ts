/** What an examination finds. */

/** One thing that was looked at. */
export interface Finding {
  /** `problem`: it will not work. `warning`: it may not. */
  severity: 'ok' | 'warning' | 'problem';
  /** What was found, in one sentence without a full stop. */
  text: string;
  /** What to do, likewise; every finding that is not ok has it. */
  advice?: string;
}

/** Something in order. */
export function ok(text: string): Finding {
  return { severity: 'ok', text };
}

/** Something that may go wrong, and what to do. */
export function warning(text: string, advice: string): Finding {
  return { severity: 'warning', text, advice };
}

/** Something that will go wrong, and what to do. */
export function problem(text: string, advice: string): Finding {
  return { severity: 'problem', text, advice };
}
