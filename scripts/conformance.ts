/** The page on conformance, of the recordings and of what the embedded cluster answered last. */
import { compare } from '../cluster/embedded/conformance/compare.ts';
import { known } from '../cluster/embedded/conformance/exceptions/index.ts';
import { embeddedAnswers, recordings } from '../cluster/embedded/conformance/recordings.ts';
import { scenarios } from '../cluster/embedded/conformance/scenarios.ts';
import { conformancePage } from '../reports/conformance.ts';

export function conformanceText(): string {
  const answered = embeddedAnswers();
  const comparisons = recordings().map((recording) => compare(recording, answered.scenarios, known, scenarios));
  return conformancePage(comparisons, answered.version);
}
