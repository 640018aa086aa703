import { expect, test } from 'vitest';
import type { ResultRecord } from '../../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../record.fixture.ts';
import type { ResultSet } from '../sets.ts';
import { hostileRecord } from './hostile.fixture.ts';
import { matrixDocument } from './matrix-page.tsx';

const modelled: ResultSet = { name: '9.0-embedded', records: [modelledRecord] };
const real = (name: string, records: readonly ResultRecord[] = [realRecord]): ResultSet => ({ name, records });

/** Texts of the cells of a row, heads included. */
function cells(page: string, row: RegExp): string[] {
  const [text = ''] = page.match(new RegExp(`<tr[^>]*>(?:(?!</tr>).)*${row.source}.*?</tr>`, 's')) ?? [];
  return [...text.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, inner = '']) =>
    inner.replaceAll(/<[^>]*>/g, '').trim(),
  );
}

test('real servers stand together, what was modelled apart from them', () => {
  const page = matrixDocument([modelled, real('8.0.4')]);
  expect(cells(page, /Real servers/)).toEqual(['Claim', 'Real servers', 'Modelled: no proof']);
  expect(cells(page, /<b>G1<\/b>/).slice(1)).toEqual(['holds', '–', 'modelled']);
  expect(page).toContain('That proves nothing about MongoDB');
});

test('a cell leads to the step that decided it, on the page of its own server', () => {
  const page = matrixDocument([real('8.0 "mine"'), modelled]);
  expect(page).toContain('href="8.0%20%22mine%22/07-an-example.html#step-1" data-cell="G1-8.0%20%22mine%22-7"');
});

test('servers that were set up otherwise are named', () => {
  const environment = { ...realRecord.environment, distribution: 'existing', arguments: { mongod: ['--quiet'] } };
  const page = matrixDocument([real('8.0.4-existing', [{ ...realRecord, environment }])]);
  expect(page).toContain('8.0.4-existing is a cluster that somebody else runs');
  expect(page).toContain('were told more than shardlab tells them: <code>mongod --quiet</code>');
});

test('no result, no table; what is missing is named', () => {
  expect(matrixDocument([])).toContain('No real server has run yet');
  expect(matrixDocument([])).not.toContain('<table');
  const notRun = { format: 1, asked: '8.1', reason: 'there is no <such> version' } as const;
  expect(matrixDocument([], [notRun])).toContain(
    '<code>8.1</code> was asked for and gave no results: <code>there is no &lt;such> version</code>',
  );
  expect(matrixDocument([real('8.0.4')])).toContain('8.0.4, 07-an-example: <strong>The experiment had not ended');
});

test('texts of servers are escaped, and none ends the data of the script', () => {
  const verdicts = hostileRecord.verdicts.map((one) => ({ ...one, claim: 'G1', steps: [4] }));
  const page = matrixDocument([real('9.0', [{ ...hostileRecord, verdicts }]), modelled]);
  expect(page).not.toMatch(/<script>alert|<img/);
  expect(page.match(/<script/g)).toHaveLength(2);
  const [, data = ''] = page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s) ?? [];
  expect(JSON.parse(data).texts.join()).toContain('</script><script>alert(1)</script>');
});

test('however much servers answer, the page stays light; it then tells each outcome once, or leaves replies out', () => {
  const wordy = (filler: string): ResultRecord => ({
    ...realRecord,
    ended: { how: 'completed' },
    steps: modelledRecord.steps.map((step) => ({
      ...step,
      exchanges: step.exchanges.map((one) => ({ ...one, reply: { ok: 1, filler } })),
    })),
  });
  const pageOf = (length: number) =>
    matrixDocument(['6.0', '7.0', '8.0'].map((name) => real(name, [wordy(name.padEnd(length, '.'))])));
  for (const length of [10, 100_000, 400_000]) expect(Buffer.byteLength(pageOf(length))).toBeLessThan(300_000);
  expect(pageOf(10)).not.toContain('"of":"6.0"');
  expect(pageOf(100_000)).toContain('"of":"6.0"');
  expect(pageOf(400_000)).not.toContain('.....');
});
