/** Whether a member is what was asked for, by its own `buildInfo`: an environment variable or a wrapper script may have started another. */
import type { Document } from 'mongodb';
import type { Distribution } from './distributions/index.ts';

/** Modules that the embedded servers name in `buildInfo`, which real ones do not. */
export const EMBEDDED_MODULES = { mongod: 'embedded', mongos: 'shardlab-model' } as const;

/**
 * @param build the member's `buildInfo`
 * @param asked what was to be started
 * @returns what is wrong, said of the member; undefined when nothing is
 */
export function buildProblem(
  build: Document,
  program: keyof typeof EMBEDDED_MODULES,
  asked: Pick<Distribution, 'kind' | 'version'>,
): string | undefined {
  if (build.version !== asked.version) return `it is MongoDB ${build.version}`;
  const module = EMBEDDED_MODULES[program];
  const missing = asked.kind === 'embedded' && !modulesOf(build).includes(module);
  return missing ? `it does not name the module ${module}` : undefined;
}

/** @returns the first member whose `gitVersion` is not that of the first one */
export function oddBuild<T extends { build: Document }>(members: readonly T[]): T | undefined {
  return members.find(({ build }) => build.gitVersion !== members[0]?.build.gitVersion);
}

/** Whether a router's routing is this project's model. */
export function isModelled(routerBuild: Document): boolean {
  return modulesOf(routerBuild).includes(EMBEDDED_MODULES.mongos);
}

function modulesOf(build: Document): readonly string[] {
  return build.modules ?? [];
}
