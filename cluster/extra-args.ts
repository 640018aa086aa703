/** Arguments that a user adds to those of shardlab's own: which cannot be among them, and what they decide. */
import { InputError } from './errors.ts';

/** The executables that can be told more. */
export type Program = 'mongod' | 'mongos';

/** What the user told the servers; each only where there is any. */
export interface ServerArguments {
  mongod?: readonly string[];
  mongos?: readonly string[];
}

/** @returns undefined where nothing was said */
export function serverArguments(mongod: readonly string[], mongos: readonly string[]): ServerArguments | undefined {
  if (mongod.length + mongos.length === 0) return undefined;
  return { ...(mongod.length > 0 && { mongod }), ...(mongos.length > 0 && { mongos }) };
}

const PORT = 'shardlab finds a free port for each server';
const ADDRESS = 'shardlab binds 127.0.0.1 alone';
const ROLE = 'shardlab makes the replica sets and says what each is';
const LINES = 'shardlab reads what the server prints, to see when it is ready';
const CLIENT = 'shardlab connects without a user and without TLS';

/** What is decided already, by program, each with why. */
const DECIDED: Readonly<Record<Program | 'both', Readonly<Record<string, string>>>> = {
  both: {
    port: PORT,
    bind_ip: ADDRESS,
    bind_ip_all: ADDRESS,
    nounixsocket: 'shardlab gives it to every server',
    config: 'a file could say anything of this',
    f: 'a file could say anything of this',
    fork: 'shardlab could not stop a server that leaves it',
    logpath: LINES,
    syslog: LINES,
    auth: CLIENT,
    keyFile: CLIENT,
    clusterAuthMode: CLIENT,
    tlsMode: CLIENT,
    sslMode: CLIENT,
  },
  mongod: {
    dbpath: 'shardlab makes a folder for each server and removes it',
    replSet: ROLE,
    configsvr: ROLE,
    shardsvr: ROLE,
    storageEngine: 'shardlab gives it to every mongod',
  },
  mongos: { configdb: 'shardlab starts the config server' },
};

/**
 * @returns the arguments
 * @throws InputError that names the first one that shardlab sets itself, and why; when they are no list of texts
 */
export function checkedArgs(program: Program, args: readonly string[]): readonly string[] {
  const isList: boolean = Array.isArray(args) && args.every((arg) => typeof arg === 'string');
  if (!isList) throw new InputError(`${program}Args must be a list of texts: ['--setParameter', '<name>=<value>']`);
  for (const name of namesIn(args)) {
    const why = reasonAgainst(program, name);
    if (why) throw new InputError(`--${name} cannot be among the arguments of ${program}: ${why}`);
  }
  return args;
}

/** The names of the parameters that are set: `--setParameter name=value`; servers take one dash as well. */
export function parametersIn(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    const [, inOne] = /^--?setParameter=(.*)$/s.exec(arg) ?? [];
    const assignment = inOne ?? (/^--?setParameter$/.test(args[i - 1] ?? '') ? arg : undefined);
    return assignment === undefined ? [] : [nameOf(assignment)];
  });
}

/** Whether a flag is among them: `--name`, `--name=value`. */
export function hasFlag(args: readonly string[], flag: string): boolean {
  return namesIn(args).includes(flag);
}

function namesIn(args: readonly string[]): string[] {
  return args.filter((arg) => /^--?[^-]/.test(arg)).map((arg) => nameOf(arg.replace(/^-+/, '')));
}

function nameOf(assignment: string): string {
  return assignment.split('=', 1)[0] ?? '';
}

function reasonAgainst(program: Program, name: string): string | undefined {
  const reasons = { ...DECIDED.both, ...DECIDED[program] };
  return Object.hasOwn(reasons, name) ? reasons[name] : undefined;
}
