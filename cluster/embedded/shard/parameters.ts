/** `--setParameter`: what the engine can be told while it runs is told to it, anything else has no effect here. */
import type { Document } from 'bson';
import { log } from '../log.ts';
import { decodePlain, encode } from '../wire/bson.ts';
import type { Engine } from './engine.ts';

/** Heeded by this program itself (flags.ts); the engine cannot be told while it runs. */
const HEEDED_HERE: ReadonlySet<string> = new Set(['enableTestCommands']);

/** Sets parameters; one that the engine does not take is logged as a warning, since a server might know it. */
export async function setParameters(parameters: ReadonlyMap<string, string>, engine: Engine): Promise<void> {
  for (const [name, text] of parameters) {
    if (HEEDED_HERE.has(name)) continue;
    const reply = decodePlain(await engine.run(encode({ setParameter: 1, [name]: parsed(text), $db: 'admin' })));
    if (reply.ok !== 1) logWithoutEffect(name, reply);
  }
}

function parsed(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function logWithoutEffect(parameter: string, { errmsg }: Document): void {
  log({
    severity: 'W',
    component: 'CONTROL',
    id: 9_990_003,
    message: 'The embedded engine does not take this parameter; it has no effect',
    attributes: { parameter, errmsg },
  });
}
