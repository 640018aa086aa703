/** `npm run fetch`: brings MongoDB's servers into the cache, and lists what is there. */
import { basename, dirname } from 'node:path';
import { Command } from 'commander';
import type { CachedServers } from '../cluster/distributions/download/store.ts';
import { DEFAULT_VERSION } from '../cluster/distributions/download/versions.ts';
import { cachedServers, resolveDownload } from '../cluster/distributions/download.ts';
import { ExitCode, runScript } from './cli.ts';

interface Flags {
  list: boolean;
  offline: boolean;
}

const program = new Command('npm run fetch --')
  .description('Brings mongod and mongos into the cache and prints the folder that holds them.')
  .argument('[versions...]', 'versions or ranges: 8.0.4, 8.0, 7, ">=6 <8", latest (default: MONGOMS_VERSION, or 8.0)')
  .option('--list', 'print what is cached: version, machine, size, a key for a cache of CI, and folder', false)
  .option('--offline', 'look in the cache only', false)
  .addHelpText(
    'after',
    `
MONGOMS_DOWNLOAD_DIR     the cache folder
MONGOMS_DOWNLOAD_MIRROR  where to fetch from instead of https://fastdl.mongodb.org; it may have the list of versions as full.json
HTTPS_PROXY, NO_PROXY    are honoured`,
  );

/** `npm run fetch --offline`, or set for good in a .npmrc: npm keeps the flag, and means the same by it. */
const NPM_IS_OFFLINE = process.env.npm_config_offline === 'true';

await runScript(program, async (stopped) => {
  const { list, offline } = program.opts<Flags>();
  if (list) await printCached();
  else await fetchAll(program.args, offline || NPM_IS_OFFLINE, stopped);
  return ExitCode.ok;
});

async function fetchAll(versions: readonly string[], offline: boolean, signal: AbortSignal): Promise<void> {
  const asked = versions.length > 0 ? versions : [process.env.MONGOMS_VERSION || DEFAULT_VERSION];
  for (const version of asked) {
    const found = await resolveDownload(version, { environment: process.env, say: console.error, signal, offline });
    console.error(`MongoDB ${version} is ${found.version}`);
    console.log(dirname(found.mongod));
  }
}

async function printCached(): Promise<void> {
  const { folder, servers } = await cachedServers(process.env);
  if (servers.length === 0) console.error(`Nothing is cached in ${folder}`);
  for (const line of listLines(servers)) console.log(line);
}

function listLines(cached: readonly CachedServers[]): string[] {
  const rows = cached.map(({ version, machine, bytes, path }) => [
    version,
    machine,
    `${(bytes / 1e6).toFixed(1)} MB`,
    `mongodb-${basename(path)}`,
    path,
  ]);
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
