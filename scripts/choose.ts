/** Finds the experiments that a command line means. */
import { InputError } from '../cluster/index.ts';
import type { Experiment } from '../experiments/harness/define.ts';
import { loadExperiment } from '../experiments/harness/load.ts';
import { fileName } from '../reports/sets.ts';
import { joined } from '../reports/words.ts';
import { nearestName, userPath } from './cli.ts';

const HOW_TO_LIST = 'run `npm run experiment` for a list';
/** More names than this are no help in one line. */
const AT_A_GLANCE = 4;

/**
 * @param words each `all`, a number, a name, an unambiguous part of one, or the path of a user's own file
 * @param known this project's experiments
 * @returns each experiment once, in the order given
 * @throws InputError when a word means none or several, or a user's file takes a number or name that is taken
 */
export async function chooseExperiments(words: readonly string[], known: readonly Experiment[]): Promise<Experiment[]> {
  const chosen = new Set<Experiment>();
  for (const word of words) {
    const meant = isPath(word) ? [await loadExperiment(userPath(word))] : meantBy(word, known);
    for (const experiment of meant) chosen.add(experiment);
  }
  refuseTaken([...new Set([...known, ...chosen])]);
  return [...chosen];
}

function isPath(word: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(word);
}

function meantBy(word: string, known: readonly Experiment[]): readonly Experiment[] {
  if (word === 'all') return known;
  if (/^\d+$/.test(word)) return [numbered(Number(word), known)];
  const named = known.find((experiment) => [experiment.name, fileName(experiment)].includes(word));
  return [named ?? partlyNamed(word, known)];
}

function numbered(number: number, known: readonly Experiment[]): Experiment {
  const found = known.find((experiment) => experiment.number === number);
  if (found) return found;
  throw new InputError(`there is no experiment ${number}; ${HOW_TO_LIST}`);
}

function partlyNamed(word: string, known: readonly Experiment[]): Experiment {
  const found = known.filter((experiment) => fileName(experiment).includes(word));
  if (found.length > AT_A_GLANCE) throw new InputError(`"${word}" is part of ${found.length} names; ${HOW_TO_LIST}`);
  if (found.length > 1) throw new InputError(`"${word}" is part of ${joined(found.map(fileName))}; say which`);
  return found[0] ?? unknown(word, known);
}

function unknown(word: string, known: readonly Experiment[]): never {
  const names = known.map(({ name }) => name);
  const parts = names.flatMap((name) => name.split('-')).filter(({ length }) => length > 3); // shorter ones are near to anything
  const nearest = nearestName(word, ['all', ...names, ...parts]);
  const hint = nearest ? `did you mean ${nearest}?` : HOW_TO_LIST;
  throw new InputError(`there is no experiment "${word}"; ${hint}`);
}

function refuseTaken(experiments: readonly Experiment[]): void {
  experiments.forEach((experiment, index) => {
    const before = experiments.slice(0, index);
    const taken = before.find(({ number, name }) => number === experiment.number || name === experiment.name);
    if (!taken) return;
    const what = taken.number === experiment.number ? `number ${taken.number}` : `the name ${taken.name}`;
    throw new InputError(`${fileName(experiment)}: ${what} is taken by ${fileName(taken)}; choose another`);
  });
}
