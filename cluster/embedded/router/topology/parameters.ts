/** `getParameter` and `setParameter` (src/mongo/db/commands/parameters.cpp). */
import { type Document, Long } from 'bson';
import { hasTestCommands } from '../../flags.ts';
import { notModelled } from '../../not-modelled.ts';
import { decodePlain, documentOf, elements, field, rawValue, text } from '../../wire/bson.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { IDLE_MILLIS } from '../cursors.ts';
import { adminOnly } from './admin-only.ts';
import { TIMEOUT_MINUTES } from './sessions.ts';

const ILLEGAL_OPERATION = 20;
const INVALID_OPTIONS = 72;
/** Parameters that a `mongod` has and a router has not, as far as clients ask a router for them. */
const OF_SHARDS_ALONE: ReadonlySet<string> = new Set(['featureCompatibilityVersion']);
/** Set when a server starts and never again. */
const AT_STARTUP: ReadonlySet<string> = new Set(['enableTestCommands', 'localLogicalSessionTimeoutMinutes']);
/** About the server's log alone. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['logLevel', 'quiet']);

export const parameterCommands: Readonly<Record<string, CommandHandler>> = {
  getParameter: adminOnly(getParameter),
  setParameter: adminOnly(setParameter),
};

/** What this router heeds, or does as a server does by default. */
function parametersOf(router: Router): Document {
  return {
    cursorTimeoutMillis: Long.fromNumber(IDLE_MILLIS),
    enableTestCommands: hasTestCommands(router),
    localLogicalSessionTimeoutMinutes: TIMEOUT_MINUTES,
    logLevel: 0,
    quiet: false,
  };
}

async function getParameter({ body }: Call, router: Router): Promise<Reply> {
  const parameters = parametersOf(router);
  if (text(field(body, 'getParameter')) === '*') return modelReply(parameters);
  const [found, others] = [asked(body).filter(isIn(parameters)), asked(body).filter((name) => !isIn(parameters)(name))];
  await refuseKnown(others, router);
  if (found.length === 0) throw new CommandError(INVALID_OPTIONS, 'no option found to get');
  return modelReply(Object.fromEntries(found.map((name) => [name, parameters[name]])));
}

/**
 * Nearly every parameter that the engine of the config server knows is one of routers too.
 * @throws CommandError not modelled
 */
async function refuseKnown(names: readonly string[], { catalog }: Router): Promise<void> {
  const others = names.filter((name) => !OF_SHARDS_ALONE.has(name));
  if (others.length === 0) return;
  const fields = ['getParameter', ...others].map((name) => ({ name, ...rawValue(1) }));
  const reply = await catalog.config.send(documentOf([...fields, { name: '$db', ...rawValue('admin') }]));
  const known = others.find(isIn(decodePlain(reply)));
  if (known !== undefined) throw notModelled(`the parameter ${known} of a router`);
}

async function setParameter({ body }: Call, router: Router): Promise<Reply> {
  const [name] = asked(body);
  const parameters = parametersOf(router);
  const refused = (why: string): CommandError =>
    new CommandError(INVALID_OPTIONS, `${why}, use help:true to see options `);
  if (name === undefined) throw refused('no option found to set');
  if (AT_STARTUP.has(name)) throw new CommandError(ILLEGAL_OPERATION, `not allowed to change [${name}] at runtime`);
  if (WITHOUT_EFFECT.has(name)) return modelReply({ was: parameters[name] });
  if (isIn(parameters)(name)) throw notModelled(`setting ${name} on a router`);
  await refuseKnown([name], router);
  throw refused(`attempted to set unrecognized parameter [${name}]`);
}

/** The parameters a command names: its fields but the first and those every command may carry. */
function asked(body: Buffer): string[] {
  const names = elements(body)
    .slice(1)
    .map(({ name }) => name);
  return names.filter((name) => !name.startsWith('$') && name !== 'lsid' && name !== 'comment');
}

function isIn(parameters: Document): (name: string) => boolean {
  return (name) => Object.hasOwn(parameters, name);
}
