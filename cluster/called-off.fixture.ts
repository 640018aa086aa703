/**
 * A program that starts clusters of the servers that its first argument names, and calls each off after so many milliseconds as one of the
 * others says. For each it prints what then still keeps the process alive, once nothing does or ten seconds have passed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from './index.ts';

const [mongodb = 'embedded', ...moments] = process.argv.slice(2);

for (const ms of moments.map(Number)) {
  const calledOff = new AbortController();
  const start = startCluster({ mongodb, signal: calledOff.signal });
  setTimeout(() => calledOff.abort(new Error('called off')), ms);
  const outcome = await start.then(
    (cluster) => cluster.stop().then(() => 'it had started'),
    (error: Error) => error.message,
  );
  console.log(JSON.stringify({ ms, outcome, left: await left() }));
}

/** Without the pipes to the parent, and without the timer of looking again. */
async function left(): Promise<string[]> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const resources = process.getActiveResourcesInfo().filter((kind) => !['PipeWrap', 'TTYWrap'].includes(kind));
    if (resources.length === 0 || performance.now() > deadline) return resources;
    await sleep(20);
  }
}
