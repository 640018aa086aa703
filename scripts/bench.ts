/** `npm run bench`: how fast it is, against the limits the project sets itself. Measured, never tested: it always exits 0. */
import { cpus, loadavg } from 'node:os';
import { Command, Option } from 'commander';
import { markdownTable } from 'markdown-table';
import { startCluster } from '../cluster/index.ts';
import { type Measurement, median } from './bench/measure.ts';
import { measureRendering } from './bench/render.ts';
import { measureRouter } from './bench/router.ts';
import { ExitCode, mongodbOption, runScript } from './cli.ts';

const STARTS = 10;
const PARTS = ['start', 'router', 'render'];

const program = new Command('npm run bench --')
  .description(
    'Measures the start of a cluster, what its router costs, and how long reports take to render. Run it with nothing else running.',
  )
  .addOption(mongodbOption().default('embedded'))
  .addOption(new Option('--only <part>', 'measure one part').choices(PARTS))
  .option('--json', 'the measurements as JSON on stdout');

await runScript(program, async (stopped) => {
  const { mongodb, only, json } = program.opts<{ mongodb: string; only?: string; json?: boolean }>();
  const load = loadavg()[0] ?? Number.NaN;
  const isWanted = (part: string) => only === undefined || only === part;
  const measured: Measurement[] = [];
  if (isWanted('start')) measured.push(await measureStart(mongodb, stopped));
  if (isWanted('router')) measured.push(...(await measureOnCluster(mongodb, stopped)));
  if (isWanted('render')) measured.push(await measureRendering());
  console.log(json ? JSON.stringify({ machine: machine(load), measured }, null, 2) : table(measured));
  if (!json) console.log(`\n${machine(load)}`);
  return ExitCode.ok;
});

async function measureStart(mongodb: string, signal: AbortSignal): Promise<Measurement> {
  const taken: number[] = [];
  for (let i = 1; i <= STARTS; i++) {
    say(`start ${i} of ${STARTS}`);
    const start = performance.now();
    const cluster = await startCluster({ mongodb, signal });
    taken.push(performance.now() - start);
    await cluster.stop();
  }
  const made = `median of ${STARTS}, from ${Math.min(...taken).toFixed(0)} to ${Math.max(...taken).toFixed(0)} ms`;
  return { what: 'cluster ready', unit: 'ms', value: median(taken), limit: 1_500, made };
}

async function measureOnCluster(mongodb: string, signal: AbortSignal): Promise<Measurement[]> {
  const cluster = await startCluster({ mongodb, signal });
  const stop = () => void cluster.stop(); // what is under way then fails, and the script says why it ended
  signal.addEventListener('abort', stop);
  try {
    return await measureRouter(cluster, say);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await cluster.stop();
  }
}

function say(what: string): void {
  console.error(`measuring: ${what}`);
}

function table(measured: readonly Measurement[]): string {
  const rows = measured.map(({ what, unit, value, limit, made }) => [
    what,
    shown(value, unit),
    `<= ${shown(limit, unit)}`,
    value <= limit ? 'within' : 'over',
    made,
  ]);
  return markdownTable([['measured', 'value', 'limit', '', 'made of'], ...rows], { align: ['l', 'r', 'r', 'l', 'l'] });
}

function shown(value: number, unit: Measurement['unit']): string {
  return unit === 'ratio' ? `${value.toFixed(2)} x` : `${value.toFixed(0)} ${unit}`;
}

function machine(load: number): string {
  return `Node.js ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores, load ${load.toFixed(2)} at the start`;
}
