/** In which form the page of the matrix holds what its cells open. */
import type { AnsweredBy } from '../../experiments/harness/record.ts';

/** See the file's comment. Texts of servers are in here as they came: to be shown as text. */
export interface MatrixData {
  readonly texts: readonly string[];
  readonly steps: readonly StepData[];
  /** By verdictId (paths.ts). */
  readonly cells: Readonly<Record<string, CellData>>;
}

/** Of a text, its place in {@link MatrixData.texts}. */
type Text = number;

/** Why a verdict is what it is: the reason, and of each step its number on this server and its place in {@link MatrixData.steps}. */
export type CellData = readonly [reason: Text, steps: readonly (readonly [number: number, step: number])[]];

/** A step that bears on a claim. */
export interface StepData {
  readonly caption: Text;
  readonly seen: Text;
  readonly bears: 'for' | 'against' | 'not';
  /** Empty where they are left to the experiment's page. */
  readonly exchanges: readonly ExchangeData[];
  /** Where servers that differ in details share this: whose words these are. */
  readonly of?: string;
}

/** Commands as mongosh has them; no reply where none came. */
export type ExchangeData = readonly [to: Text, command: Text, by: AnsweredBy, who: Text, reply?: Text];
