import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../.ci/install-chromium', import.meta.url));
let bin: string;

async function link(name: string): Promise<void> {
  const { stdout } = await execa('bash', ['-c', `type -P ${name}`]);
  await symlink(stdout, join(bin, name));
}

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
}

/** Whose mirror is never reached for lists, and for packages after some `failures`. What it is asked for is kept. */
function aptGet(failures: number): Promise<void> {
  return program(
    'apt-get',
    `asked="\${*:7}"
     echo "$asked" >> ${bin}/asked
     [[ $asked = install* ]] || exit 100
     mapfile -t installs < ${bin}/asked
     ((\${#installs[@]} / 2 > ${failures})) || exit 100
     touch ${bin}/chromium && chmod +x ${bin}/chromium`,
  );
}

async function install() {
  const { exitCode, stderr } = await execa(SCRIPT, { env: { PATH: bin }, extendEnv: false, reject: false });
  return { exitCode, lastLine: stderr.split('\n').at(-1) };
}

const INSTALL = 'install --yes --no-install-recommends chromium';

/** It is for Debian. */
describe.runIf(process.platform === 'linux')('installing Chromium', () => {
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), 'shardlab-bin-'));
    await Promise.all(['bash', 'env', 'timeout', 'touch', 'chmod'].map(link));
    await program('id', 'echo 0');
    await program('dpkg', '');
  });
  afterEach(() => rm(bin, { recursive: true }));

  test('a mirror that fails gets a second chance, and old lists will do', async () => {
    await aptGet(1);
    expect(await install()).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(bin, 'asked'), 'utf8')).toBe(`update\n${INSTALL}\nupdate\n${INSTALL}\n`);
  });

  test('one that fails twice is told of', async () => {
    await aptGet(2);
    expect(await install()).toEqual({
      exitCode: 1,
      lastLine:
        "Chromium could not be installed: apt-get failed twice, as it says above. Is Debian's mirror reached from here?",
    });
  });

  test('where there is no apt-get, that is said', async () => {
    expect(await install()).toEqual({
      exitCode: 1,
      lastLine:
        'Chromium could not be installed: there is no apt-get here. Install Chromium or Chrome, or name one with CHROMIUM_PATH.',
    });
  });

  test('somebody who is not root and has no sudo is told what it takes', async () => {
    await aptGet(0);
    await program('id', 'echo 1000');
    await program('sudo', 'exit 1');
    expect(await install()).toEqual({
      exitCode: 1,
      lastLine:
        'Chromium could not be installed: it takes root, or sudo without a password. Install Chromium or Chrome, or name one with CHROMIUM_PATH.',
    });
  });
});
