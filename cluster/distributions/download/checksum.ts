/** Whether a file is what its publisher says. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Obstacle } from './errors.ts';

/**
 * The sum in a file as `sha256sum` writes it: the sum in hexadecimal digits, then the name.
 * @throws Obstacle when the text begins with no SHA-256
 */
export function parseChecksum(text: string, url: string): string {
  const sum = /^\s*([0-9a-f]{64})(?![0-9a-f])/i.exec(text)?.[1];
  if (!sum) throw new Obstacle(`${url} holds no SHA-256`);
  return sum.toLowerCase();
}

/**
 * @throws Obstacle when the file's SHA-256 is another one, with both
 */
export async function verifyChecksum(file: string, expected: string, url: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual === expected) return;
  throw new Obstacle(`${url} arrived with the SHA-256 ${actual}, but ${expected} is published; nothing of it was kept`);
}
