/** Looks for known reasons why a cluster cannot start here, and says what to do. */
import type { Distribution } from '../distributions/index.ts';
import { readFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { leftoverFindings } from './leftovers.ts';
import { machineFindings } from './machine.ts';
import { resourceFindings } from './resources.ts';
import { examineServers } from './servers.ts';

export type { Finding } from './finding.ts';

/**
 * Everything that is known to go wrong.
 * @param mongodb as `startCluster` takes it
 * @throws InputError when it names nothing
 */
export async function examine(mongodb: string, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const [facts, servers, leftovers] = await Promise.all([
    readFacts(),
    examineServers(mongodb, environment),
    leftoverFindings(),
  ]);
  const machine = servers.version === undefined ? [] : machineFindings(facts, servers.version);
  return [...servers.findings, ...machine, ...resourceFindings(facts), ...leftovers];
}

/** What may keep servers that are there from starting; only what takes no time to find out. */
export async function forewarnings({ kind, version }: Pick<Distribution, 'kind' | 'version'>): Promise<Finding[]> {
  const facts = await readFacts();
  const machine = kind === 'embedded' ? [] : machineFindings(facts, version);
  return [...machine, ...resourceFindings(facts)].filter(({ severity }) => severity !== 'ok');
}

/** One line for people. */
export function findingText({ text, advice }: Finding): string {
  return advice === undefined ? text : `${text} → ${advice}`;
}
