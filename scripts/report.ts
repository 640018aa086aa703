/** `npm run report`: renders pages, index and matrix again from the records that are kept. */
import { Command } from 'commander';
import { ExitCode, runScript } from './cli.ts';
import { differingPages, outputFor, writePages } from './results.ts';

const program = new Command('npm run report --')
  .description('Writes the pages of all results, their index and the matrix again from the result records.')
  .option(
    '--out <folder>',
    'where results are (default: reports/results in this repository, ./shardlab-reports elsewhere)',
  )
  .option('--check', 'write nothing; fail with a diff where a page differs from what its record makes of it', false);

await runScript(program, async () => {
  const { out, check } = program.opts<{ out?: string; check: boolean }>();
  const output = outputFor(out);
  if (!check) await writePages(output);
  const differences = check ? await differingPages(output) : [];
  for (const patch of differences) console.log(patch);
  if (differences.length === 0) console.log(check ? 'Every page follows from its record.' : 'Every page is written.');
  return differences.length === 0 ? ExitCode.ok : ExitCode.expectationFailed;
});
