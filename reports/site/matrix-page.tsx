/** The matrix of the site: claim × version, what differs and since when, and the replies behind every cell. */
import { type Comparison, compare, comparisonText, MODEL_NOTE, missingTexts, setUpNotes } from '../comparison.ts';
import type { NotRun } from '../not-run.ts';
import type { ResultSet } from '../sets.ts';
import { JsonData } from './markup.tsx';
import { type Detail, matrixData } from './matrix-data.ts';
import { Differences } from './matrix-differences.tsx';
import type { MatrixData } from './matrix-format.ts';
import { MatrixFilter, MatrixTable } from './matrix-table.tsx';
import { Prose } from './prose.tsx';
import { renderPage } from './render.ts';

/** In bytes: no page is to be heavier. */
const LIMIT = 300_000;

/** What fits first is taken. */
const DETAILS: readonly Detail[] = ['everything', 'each outcome once', 'no replies'];

/**
 * @param sets in any order
 * @param notRun versions that have no results, or not all
 * @returns an HTML document
 */
export function matrixDocument(sets: readonly ResultSet[], notRun: readonly NotRun[] = []): string {
  const comparison = compare(sets);
  let text = '';
  for (const detail of DETAILS) {
    text = documentOf(comparison, notRun, detail);
    if (Buffer.byteLength(text) <= LIMIT) break;
  }
  return text;
}

function documentOf(comparison: Comparison, notRun: readonly NotRun[], detail: Detail): string {
  const children = <MatrixPage comparison={comparison} notRun={notRun} detail={detail} />;
  return renderPage({ title: 'Matrix', root: '', current: 'matrix', client: 'matrix', children });
}

interface Props {
  readonly comparison: Comparison;
  readonly notRun: readonly NotRun[];
  readonly detail: Detail;
}

function MatrixPage({ comparison, notRun, detail }: Props) {
  const { real, modelled, rows } = comparison;
  const missing = missingTexts([...real, ...modelled], notRun);
  return (
    <>
      <h1>Matrix</h1>
      <p>What each version of MongoDB made of each claim. Every cell opens what was sent and what was answered.</p>
      <p>
        <Prose text={comparisonText(real, rows)} />
      </p>
      {setUpNotes([...real, ...modelled]).map((note) => (
        <p>
          <Prose text={note} />
        </p>
      ))}
      {modelled.length > 0 && (
        <p class="note modelled">
          <Prose text={MODEL_NOTE} />
        </p>
      )}
      {rows.length > 0 && <Claims comparison={comparison} detail={detail} />}
      {missing.length > 0 && <Missing lines={missing} />}
    </>
  );
}

function Claims({ comparison, detail }: Pick<Props, 'comparison' | 'detail'>) {
  const { real, modelled, rows } = comparison;
  const claims = rows.map(({ claim }) => claim);
  return (
    <>
      <MatrixFilter comparison={comparison} />
      <MatrixTable comparison={comparison} />
      <CellDialog data={matrixData(claims, [...real, ...modelled], detail)} />
      <Differences rows={rows} />
    </>
  );
}

function Missing({ lines }: { lines: readonly string[] }) {
  return (
    <>
      <h2>What is missing</h2>
      <ul>
        {lines.map((line) => (
          <li>
            <Prose text={line} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Filled and opened by the page's script; without it, a cell leads to the experiment's page. */
function CellDialog({ data }: { data: MatrixData }) {
  return (
    <>
      <dialog id="cell" aria-labelledby="cell-title">
        <button type="button">Close</button>
        <div class="content" />
      </dialog>
      <JsonData id="data" value={data} />
    </>
  );
}
