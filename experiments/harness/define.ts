/** What an experiment is: data and one function. A user's own file may just `export default { … }`. */
import { inspect } from 'node:util';
import { validRange } from 'semver';
import { InputError } from '../../cluster/errors.ts';
import { type ClaimId, isClaim } from './claims.ts';
import type { Lab } from './lab.ts';

/** See the file's comment. */
export interface Experiment {
  /** From 1 to 999; no two experiments share one. */
  readonly number: number;
  /** Lower-case words joined by hyphens; part of the report's file name. */
  readonly name: string;
  readonly title: string;
  /** What it answers, in one sentence. */
  readonly question: string;
  /** The claims it is evidence for. Default none. */
  readonly claims?: readonly ClaimId[];
  /** Where its predictions are known from: manual pages, tickets, files of the server's source. */
  readonly sources?: readonly string[];
  readonly needs?: Needs;
  /**
   * After which the run is given up and reported with the steps until then. Default {@link DEADLINE_SECONDS}. A loop
   * that awaits nothing keeps the whole process busy: it is not given up, and Ctrl-C does not reach it.
   */
  readonly deadlineSeconds?: number;
  /** The story, told in steps. */
  run(lab: Lab): Promise<void>;
}

/** What a server must have, or the experiment is skipped. */
interface Needs {
  /** A range of versions as npm writes them (`>=4.4`), compared without their prerelease part. */
  readonly mongodb?: string;
  readonly features?: readonly Feature[];
}

/** Abilities of a real cluster that the embedded distribution does not model. */
const FEATURES = ['transactions', 'resharding', 'collMod', 'balancer', 'changeStreams'] as const;
export type Feature = (typeof FEATURES)[number];

export const DEADLINE_SECONDS = 60;

const FIELDS = ['number', 'name', 'title', 'question', 'claims', 'sources', 'needs', 'deadlineSeconds', 'run'];

/**
 * Checks what a file exports.
 * @param origin the file's name, which the messages begin with
 * @throws InputError that says which field is missing, unknown or of the wrong kind
 */
export function validateExperiment(value: unknown, origin: string): Experiment {
  const fault = faultIn(value);
  if (fault) throw new InputError(`${origin}: ${fault}`);
  return value as Experiment;
}

function faultIn(value: unknown): string | undefined {
  if (!isObject(value))
    return 'it must export an experiment by default: export default { number, name, title, question, run }';
  const unknown = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (unknown) return `unknown field ${unknown}; an experiment has ${FIELDS.join(', ')}`;
  return (
    faultInHead(value) ??
    faultInClaims(value.claims) ??
    faultInSources(value.sources) ??
    faultInNeeds(value.needs) ??
    faultInRun(value)
  );
}

function faultInHead({ number, name, title, question }: Fields): string | undefined {
  if (!Number.isInteger(number) || Number(number) < 1 || Number(number) > 999) {
    return `number must be a whole number from 1 to 999, ${but(number)}`;
  }
  if (typeof name !== 'string' || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || /^\d+$/.test(name)) {
    return `name must be lower-case words joined by hyphens (my-experiment), ${but(name)}`;
  }
  if (typeof title !== 'string' || !title) return `title must be a text, ${but(title)}`;
  if (typeof question !== 'string' || !question) return `question must be a text, ${but(question)}`;
  return undefined;
}

function faultInClaims(claims: unknown): string | undefined {
  if (claims === undefined) return undefined;
  if (!Array.isArray(claims)) return `claims must be a list like ['G1'], ${but(claims)}`;
  const unknown = claims.find((claim) => typeof claim !== 'string' || !isClaim(claim));
  return unknown === undefined
    ? undefined
    : `claim ${shown(unknown)} is not known; experiments/harness/claims.ts lists them`;
}

function faultInSources(sources: unknown): string | undefined {
  const fits = sources === undefined || (Array.isArray(sources) && sources.every((one) => typeof one === 'string'));
  return fits ? undefined : `sources must be a list of texts, ${but(sources)}`;
}

function faultInNeeds(needs: unknown): string | undefined {
  if (needs === undefined) return undefined;
  if (!isObject(needs)) return `needs must be like { mongodb: '>=6.0' }, ${but(needs)}`;
  const { mongodb = '*', features = [], ...others } = needs;
  const [unknown] = Object.keys(others);
  if (unknown) return `unknown field needs.${unknown}; needs has mongodb and features`;
  if (typeof mongodb !== 'string' || validRange(mongodb) === null) {
    return `needs.mongodb must be a range of versions like '>=6.0', ${but(mongodb)}`;
  }
  const fits = Array.isArray(features) && features.every((feature) => FEATURES.includes(feature));
  return fits ? undefined : `needs.features must be a list out of ${FEATURES.join(', ')}, ${but(features)}`;
}

function faultInRun({ run, deadlineSeconds = DEADLINE_SECONDS }: Fields): string | undefined {
  if (typeof deadlineSeconds !== 'number' || !(deadlineSeconds > 0)) {
    return `deadlineSeconds must be a number above 0, ${but(deadlineSeconds)}`;
  }
  return typeof run === 'function' ? undefined : `run must be a function, ${but(run)}`;
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function but(value: unknown): string {
  return value === undefined ? 'but it is missing' : `not ${shown(value)}`;
}

function shown(value: unknown): string {
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
}
