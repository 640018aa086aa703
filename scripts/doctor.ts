/** `npm run doctor`: looks for known reasons why a cluster cannot start on this machine, and says what to do. */
import { Command } from 'commander';
import { examine, type Finding, findingText } from '../cluster/doctor/index.ts';
import { ExitCode, mongodbOption, runScript } from './cli.ts';

const program = new Command('npm run doctor --')
  .description(
    'Looks for known reasons why a cluster cannot start here, and says what to do. Ends with 3 when there is one.',
  )
  .addOption(mongodbOption());

const MARKS: Readonly<Record<Finding['severity'], string>> = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' };

await runScript(program, async () => {
  const { mongodb } = program.opts<{ mongodb: string }>();
  const findings = await examine(mongodb, process.env);
  for (const finding of findings) console.log(`${MARKS[finding.severity]}  ${findingText(finding)}`);
  return findings.some(({ severity }) => severity === 'problem') ? ExitCode.noCluster : ExitCode.ok;
});
