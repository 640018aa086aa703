/** Whether a member is what was asked for, by its own `buildInfo`: an environment variable or a wrapper script may have started another. */
import type { Document } from 'mongodb';
import type { Distribution } from './distributions/index.ts';

/** Modules that the embedded servers name in `buildInfo`, which real ones do not. */
const EMBEDDED_MODULES = { mongod: 'embedded', mongos: 'shardlab-model' } as const;

/**
 * @param build the member's `buildInfo`
 * @param asked what was to be started, and the commit that another member of the cluster is of
 * @returns what is wrong, said of the member; undefined when nothing is
 */
export function buildProblem(
  build: Document,
  program: keyof typeof EMBEDDED_MODULES,
  asked: Pick<Distribution, 'kind' | 'version'> & { gitVersion: string },
): string | undefined {
  if (build.version !== asked.version) return `it is MongoDB ${build.version}`;
  if (build.gitVersion !== asked.gitVersion) return `it is of commit ${build.gitVersion}, not ${asked.gitVersion}`;
  const module = EMBEDDED_MODULES[program];
  const missing = asked.kind === 'embedded' && !modulesOf(build).includes(module);
  return missing ? `it does not name the module ${module}` : undefined;
}

/** Whether a router's routing is this project's model. */
export function isModelled(routerBuild: Document): boolean {
  return modulesOf(routerBuild).includes(EMBEDDED_MODULES.mongos);
}

function modulesOf(build: Document): readonly string[] {
  return build.modules ?? [];
}
