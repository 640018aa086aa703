/** The way on, for who reads one experiment after the other. */
import type { ResultRecord } from '../../../experiments/harness/record.ts';
import { titleText } from '../../sets.ts';
import { siblingHref } from '../paths.ts';
import { Prose } from '../prose.tsx';

/** Those of the same server, by number. */
export interface NeighboursProps {
  readonly before?: ResultRecord | undefined;
  readonly after?: ResultRecord | undefined;
}

export function Neighbours({ before, after }: NeighboursProps) {
  if (!before && !after) return null;
  return (
    <nav class="neighbours" aria-label="Other experiments">
      {before && (
        <a rel="prev" href={siblingHref(before)}>
          <span aria-hidden="true">← </span>
          <Prose text={titleText(before.experiment)} />
        </a>
      )}
      {after && (
        <a rel="next" href={siblingHref(after)}>
          <Prose text={titleText(after.experiment)} />
          <span aria-hidden="true"> →</span>
        </a>
      )}
    </nav>
  );
}
