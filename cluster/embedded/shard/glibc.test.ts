import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { AdaptationError, adaptToGlibc236, glibcSupport } from './glibc.ts';
import { adaptEngine, findEngine, thisMachine } from './library.ts';

const machine = thisMachine();
const onLinuxX64 = machine.platform === 'linux' && machine.arch === 'x64' && machine.glibc !== undefined;

test.each([
  ['2.35', 'too old'],
  ['2.36', 'adaptable'],
  ['2.37', 'adaptable'],
  ['2.38', 'native'],
  ['2.41', 'native'],
  ['3.0', 'native'],
  ['2.4', 'too old'],
] as const)('glibc %s is %s', (version, support) => {
  expect(glibcSupport(version)).toBe(support);
});

test.each([
  ['no ELF file', Buffer.alloc(100)],
  ['a 32-bit file', Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 1]), Buffer.alloc(100)])],
  ['an empty file', Buffer.alloc(0)],
])('%s is refused', (_, bytes) => {
  expect(() => adaptToGlibc236(bytes, 'x64')).toThrow(AdaptationError);
});

test('an architecture whose oldest glibc is not known is refused', () => {
  expect(() => adaptToGlibc236(Buffer.alloc(100), 'riscv64')).toThrow('no glibc base version is known for riscv64');
});

describe.runIf(onLinuxX64)('the engine’s files', () => {
  test('keep their bytes but for the symbols of 2.38', async () => {
    const { path } = findEngine(machine);
    const original = await readFile(path);
    const adapted = adaptToGlibc236(original, 'x64');
    expect(adapted).toHaveLength(original.length);
    // __isoc23_strtoul: its name's offset, its version index, the weak flag of GLIBC_2.38.
    expect(countDifferences(original, adapted)).toBeLessThanOrEqual(4 + 2 + 2);
    expect(countDifferences(original, adapted)).toBeGreaterThan(0);
  });

  test('need something else of 2.38 and are refused', async () => {
    const { path } = findEngine(machine);
    const other = await readFile(path);
    other.write('__isoc99_', other.indexOf('__isoc23_strtoul'), 'latin1');
    expect(() => adaptToGlibc236(other, 'x64')).toThrow('__isoc99_strtoul of GLIBC_2.38 has no older equivalent');
  });

  test('load when adapted, and open a data directory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shardlab-test-'));
    try {
      const engine = findEngine(machine);
      await adaptEngine(engine, machine, folder);
      const script = `
        const { Engine } = require(process.argv[1]);
        Engine.open(process.argv[2]).then(async (engine) => { await engine.close(); console.log('opened'); });`;
      const library = join(folder, engine.path.slice(engine.path.lastIndexOf('/') + 1));
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, library, join(folder, 'data')]);
      expect(stdout).toBe('opened\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function countDifferences(a: Buffer, b: Buffer): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
}
