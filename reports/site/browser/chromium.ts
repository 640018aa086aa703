/** The browser that the browser tests look at pages with: one that is installed, for none is downloaded. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The executable to start: `CHROMIUM_PATH` if it is set, or else the first that is on `PATH`.
 * @throws Error that says what to install
 */
export function findChromium(env: NodeJS.ProcessEnv): string {
  const { CHROMIUM_PATH: named, PATH = '' } = env;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
  }
  const places = NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  const found = places.find((place) => existsSync(place));
  if (found) return found;
  throw new Error(
    'The browser tests need Chromium: install it with `apt-get install chromium` (Debian), or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

/**
 * Starts a browser without a window. Its sandbox is off, because root cannot have one; it sees this project's own pages alone.
 * @param home a folder for all that it writes
 * @throws Error when none is installed, or it has not started within two minutes
 */
export function startBrowser(home: string): Promise<BrowserServer> {
  const env = { ...process.env, HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  const executablePath = findChromium(process.env);
  return chromium.launchServer({ executablePath, args: FLAGS, env, host: '127.0.0.1', timeout: 120_000 });
}
