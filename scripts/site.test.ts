import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import type { ResultSet } from '../reports/sets.ts';
import { writeSite } from './site.ts';

const running = new AbortController().signal;
const nobody = () => {};
const real = { name: '8.0.4', records: [realRecord] };
const modelled = { name: '9.0.0-alpha0-embedded', records: [modelledRecord] };
const content = (...sets: ResultSet[]) => ({ sets, notRun: [] });
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab-site-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

const files = async (of = folder) =>
  (await readdir(of, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ name }) => name)
    .sort();

describe('writeSite', () => {
  it('writes a page per record and those that lead to them, and says how it gets on', async () => {
    const said: string[] = [];
    await writeSite(content(real, modelled), join(folder, 'new'), (line) => said.push(line), running);
    expect(existsSync(join(folder, 'new/8.0.4/07-an-example.html'))).toBe(true);
    expect(await files()).toEqual([
      '.shardlab-site.json',
      '07-an-example.html',
      '07-an-example.html',
      'index.html',
      'matrix.html',
    ]);
    expect(said).toEqual(['8.0.4: 1 page', '9.0.0-alpha0-embedded: 1 page']);
  });

  it('removes what is no more, and nothing that is not its own', async () => {
    await writeSite(content(real, modelled), folder, nobody, running);
    await writeFile(join(folder, 'CNAME'), 'example.com');
    await writeFile(join(folder, '8.0.4/mine.html'), 'mine');
    await writeSite(content(modelled), folder, nobody, running);
    expect(existsSync(join(folder, '8.0.4/07-an-example.html'))).toBe(false);
    expect(await readdir(join(folder, '8.0.4'))).toEqual(['mine.html']);
    await rm(join(folder, '8.0.4/mine.html'));
    expect(await readFile(join(folder, 'CNAME'), 'utf8')).toBe('example.com');
  });

  it('leaves no empty folder of a server that is no more', async () => {
    await writeSite(content(real, modelled), folder, nobody, running);
    await writeSite(content(modelled), folder, nobody, running);
    expect(existsSync(join(folder, '8.0.4'))).toBe(false);
  });

  it.skipIf(sep === '\\')('knows its own folder again whatever a set is called', async () => {
    const odd = { ...real, name: 'a\\b c#%2F' };
    await writeSite(content(odd), folder, nobody, running);
    await writeSite(content(odd), folder, nobody, running);
    expect(existsSync(join(folder, odd.name, '07-an-example.html'))).toBe(true);
  });

  it('goes over what was broken off', async () => {
    const stopped = AbortSignal.abort(new Error('Ctrl-C'));
    await expect(writeSite(content(real), folder, nobody, stopped)).rejects.toThrow('Ctrl-C');
    await writeSite(content(modelled), folder, nobody, running);
    expect(await files()).toHaveLength(4);
  });

  it.each([
    ['a file of somebody else', 'thesis.html', ''],
    ['a list that is none', '.shardlab-site.json', '[]'],
    ['a list that leads out of it', '.shardlab-site.json', '{ "pages": ["../thesis.html"] }'],
    ['a list that leads out of it by a folder', '.shardlab-site.json', '{ "pages": ["a/../b.html"] }'],
  ])('refuses a folder with %s, and leaves it as it is', async (_what, name, text) => {
    await writeFile(join(folder, name), text);
    await expect(writeSite(content(real), folder, nobody, running)).rejects.toThrow(
      `${folder} holds something else than a site of ours: name a folder that is empty or new`,
    );
    expect(await files()).toEqual([name]);
  });

  it('says why a folder cannot be one', async () => {
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'a/file'), '');
    await expect(writeSite(content(real), join(folder, 'a/file'), nobody, running)).rejects.toThrow(
      `the site cannot be written to ${join(folder, 'a/file')}: ENOTDIR`,
    );
  });
});
