/**
 * The command lines of `mongod` and `mongos`, as far as a throw-away cluster uses them, with the servers' own error texts
 * (src/mongo/util/options_parser/options_parser.cpp, src/mongo/db/mongod_options.cpp, src/mongo/s/mongos_options.cpp).
 */

/** The two programs. */
export type Program = 'mongod' | 'mongos';

/** What a `mongod` was started as, beside being a replica-set member. */
type ShardingRole = 'shardsvr' | 'configsvr';

/** What both programs are told. */
interface CommonOptions {
  port: number;
  /** Addresses to listen on, never empty. */
  bindIp: string[];
  /** `--setParameter` values by name, as written. */
  setParameters: ReadonlyMap<string, string>;
  /** `--version` was given: nothing else counts then. */
  version: boolean;
  /** The arguments as given (`argv` of `getCmdLineOpts`). */
  argv: readonly string[];
}

export interface MongodOptions extends CommonOptions {
  dbpath: string;
  /** Undefined: a standalone server. */
  replSet: string | undefined;
  role: ShardingRole | undefined;
  storageEngine: string;
  /** Accepted without effect: the engine's cache is fixed at 256 MB. */
  cacheSizeGB: number | undefined;
}

export interface MongosOptions extends CommonOptions {
  configdb: { replSet: string; hosts: string[] };
}

/** The command line is wrong. `message` is what the program writes to stderr, one or more lines; the exit code is {@link BAD_OPTIONS}. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';

  constructor(program: Program, problem: string) {
    super(`${problem}\ntry '${program} --help' for more information`);
  }
}

/** Exit code of a program whose command line was wrong (src/mongo/util/exit_code.h). */
export const BAD_OPTIONS = 2;

type Kind = 'switch' | 'string' | 'int' | 'double' | 'list';

const COMMON_FLAGS = {
  port: 'int',
  bind_ip: 'string',
  setParameter: 'list',
  noauth: 'switch',
  nounixsocket: 'switch',
  version: 'switch',
} as const satisfies Record<string, Kind>;

const FLAGS: Readonly<Record<Program, Readonly<Record<string, Kind>>>> = {
  mongod: {
    ...COMMON_FLAGS,
    dbpath: 'string',
    replSet: 'string',
    shardsvr: 'switch',
    configsvr: 'switch',
    storageEngine: 'string',
    wiredTigerCacheSizeGB: 'double',
  },
  mongos: { ...COMMON_FLAGS, configdb: 'string' },
};

/**
 * @param argv the arguments behind the program's name
 * @throws CommandLineError as the real program words it
 */
export function parseMongodFlags(argv: readonly string[]): MongodOptions {
  const flags = new Flags('mongod', argv);
  const role = roleOf(flags);
  const replSet = replSetOf(flags, role);
  return {
    ...commonOptions(flags, { shardsvr: 27018, configsvr: 27019, none: 27017 }[role ?? 'none']),
    dbpath: flags.text('dbpath') ?? '/data/db',
    replSet,
    role,
    storageEngine: flags.text('storageEngine') ?? 'wiredTiger',
    cacheSizeGB: flags.number('wiredTigerCacheSizeGB'),
  };
}

/**
 * @param argv the arguments behind the program's name
 * @throws CommandLineError as the real program words it
 */
export function parseMongosFlags(argv: readonly string[]): MongosOptions {
  const flags = new Flags('mongos', argv);
  const common = commonOptions(flags, 27017);
  return { ...common, configdb: common.version ? { replSet: '', hosts: [] } : configdbOf(flags) };
}

/** Whether a server was started with its commands for tests (`--setParameter enableTestCommands=1`). */
export function hasTestCommands({ setParameters }: Pick<CommonOptions, 'setParameters'>): boolean {
  return ['1', 'true'].includes(setParameters.get('enableTestCommands') ?? '');
}

function roleOf(flags: Flags): ShardingRole | undefined {
  if (flags.has('configsvr') && flags.has('shardsvr')) {
    throw flags.error('BadValue: shardsvr is not allowed when configsvr is specified');
  }
  if (flags.has('configsvr')) return 'configsvr';
  return flags.has('shardsvr') ? 'shardsvr' : undefined;
}

/** `name` or, as older set-ups write it, `name/host:port,…`. */
function replSetOf(flags: Flags, role: ShardingRole | undefined): string | undefined {
  const name = flags.text('replSet')?.split('/', 1)[0];
  if (name || !role || flags.has('version')) return name;
  throw flags.error(
    `BadValue: Cannot start a ${role} as a standalone server. Please use the option --replSet to start the node as a replica set.`,
  );
}

function configdbOf(flags: Flags): MongosOptions['configdb'] {
  const given = flags.text('configdb');
  if (!given) throw flags.error('BadValue: error: no args for --configdb');
  const [replSet, hosts, ...rest] = given.split('/');
  if (!replSet || !hosts || rest.length > 0) {
    throw flags.error('BadValue: configdb supports only replica set connection string');
  }
  return { replSet, hosts: hosts.split(',') };
}

function commonOptions(flags: Flags, defaultPort: number): CommonOptions {
  return {
    port: portOf(flags) ?? defaultPort,
    bindIp: (flags.text('bind_ip') ?? '127.0.0.1').split(',').map((ip) => (ip === 'localhost' ? '127.0.0.1' : ip)),
    setParameters: parametersOf(flags),
    version: flags.has('version'),
    argv: flags.argv,
  };
}

function portOf(flags: Flags): number | undefined {
  const port = flags.number('port');
  if (port !== undefined && (port < 0 || port > 65_535)) {
    throw flags.error(`BadValue: port ${port} is not between 0 and 65535`);
  }
  return port;
}

function parametersOf(flags: Flags): Map<string, string> {
  return new Map(
    flags.list('setParameter').map((assignment) => {
      const equals = assignment.indexOf('=');
      if (equals < 1) throw flags.error(`BadValue: Illegal option assignment: "${assignment}"`);
      return [assignment.slice(0, equals), assignment.slice(equals + 1)];
    }),
  );
}

/** The flags of a command line by name, checked against those the program knows. */
class Flags {
  readonly argv: readonly string[];
  readonly #program: Program;
  readonly #values = new Map<string, string[]>();

  constructor(program: Program, argv: readonly string[]) {
    this.argv = argv;
    this.#program = program;
    for (const rest = [...argv]; rest.length > 0; ) this.#take(rest);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  list(name: string): string[] {
    return this.#values.get(name) ?? [];
  }

  error(problem: string): CommandLineError {
    return new CommandLineError(this.#program, problem);
  }

  #take(rest: string[]): void {
    const argument = rest.shift() as string;
    if (!argument.startsWith('--')) throw this.#parseError(unnamed(argument));
    const equals = argument.indexOf('=');
    const name = argument.slice(2, equals < 0 ? undefined : equals);
    const kind = FLAGS[this.#program][name];
    if (!kind) throw this.#parseError(`unrecognised option '--${name}'`);
    const attached = equals < 0 ? undefined : argument.slice(equals + 1);
    this.#store(name, kind, kind === 'switch' ? this.#noValue(name, attached) : (attached ?? rest.shift()));
  }

  #noValue(name: string, attached: string | undefined): string {
    if (attached !== undefined) throw this.#parseError(`option '--${name}' does not take any arguments`);
    return 'true';
  }

  #store(name: string, kind: Kind, value: string | undefined): void {
    if (value === undefined) throw this.#parseError(`the required argument for option '--${name}' is missing`);
    const isNumber = kind === 'int' ? /^[+-]?\d+$/.test(value) : value.trim() !== '' && Number.isFinite(Number(value));
    if ((kind === 'int' || kind === 'double') && !isNumber) {
      throw this.#parseError(`the argument ('${value}') for option '--${name}' is invalid`);
    }
    const earlier = this.#values.get(name);
    if (earlier && kind !== 'list') throw this.#parseError(` Multiple occurrences of option "--${name}"`);
    this.#values.set(name, [...(earlier ?? []), value]);
  }

  #parseError(problem: string): CommandLineError {
    return this.error(`Error parsing command line: ${problem}`);
  }
}

function unnamed(argument: string): string {
  return argument.startsWith('-')
    ? `unrecognised option '${argument}'`
    : 'too many positional options have been specified on the command line';
}
