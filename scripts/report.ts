/** `npm run report`: renders pages, index and matrix again from the records that are kept, or a site of them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, Option } from 'commander';
import { InputError } from '../cluster/index.ts';
import { INDEX } from '../reports/site/paths.ts';
import { ExitCode, runScript, userPath } from './cli.ts';
import { patchText } from './failures.ts';
import { readNotes } from './not-run.ts';
import { differingPages, type Output, outputFor, readSets, writePages } from './results.ts';
import { writeSite } from './site.ts';
import { screenOf } from './terminal.ts';

/** Where the user is: a site is made anew rather than kept. */
const SITE = 'shardlab-site';

const program = new Command('npm run report --')
  .description('Writes the pages of all results, their index and the matrix again from the result records.')
  .option(
    '--out <folder>',
    'where results are (default: reports/results in this repository, ./shardlab-reports elsewhere)',
  )
  .option('--check', 'write nothing; fail with a diff where a page differs from what its record makes of it', false)
  .addOption(
    new Option(
      '--site [folder]',
      `write a site of all results, to look at in a browser, instead (default: ./${SITE})`,
    ).conflicts('check'),
  );

await runScript(program, async (stopped) => {
  const { out, check, site } = program.opts<{ out?: string; check: boolean; site?: true | string }>();
  const output = outputFor(out);
  if (site !== undefined) return writeSiteOf(output, userPath(site === true ? SITE : site), stopped);
  if (!check) await writePages(output);
  const differences = check ? await differingPages(output) : [];
  for (const patch of differences) console.log(patchText(patch, screenOf(process.stdout)));
  if (differences.length === 0) console.log(check ? 'Every page follows from its record.' : 'Every page is written.');
  return differences.length === 0 ? ExitCode.ok : ExitCode.expectationFailed;
});

async function writeSiteOf(output: Output, folder: string, stopped: AbortSignal): Promise<number> {
  const [sets, notRun] = await Promise.all([readSets(output), readNotes(output.results)]);
  if (sets.length === 0) throw new InputError(`There are no results in ${output.results}: run some experiments first`);
  await writeSite({ sets, notRun }, folder, (line) => console.error(`  ${line}`), stopped);
  console.log(`The site is written: open ${pathToFileURL(join(folder, INDEX))} in a browser.`);
  return ExitCode.ok;
}
