/** Whether the servers that are asked for can be had, and run. */
import { dirname } from 'node:path';
import { DownloadError } from '../distributions/download/errors.ts';
import { DEFAULT_VERSION, isVersionOrRange, oldestMeant } from '../distributions/download/versions.ts';
import { cachedVersion, type DownloadOptions, findBuild, resolveDownload } from '../distributions/download.ts';
import { refuseUnknown, resolveDistribution } from '../distributions/index.ts';
import { findEngine, type Machine, thisMachine } from '../embedded/shard/library.ts';
import { EmbeddedUnavailableError } from '../embedded/unavailable.ts';
import { InputError } from '../errors.ts';
import { type Finding, ok, problem } from './finding.ts';

/** What can be said of servers. */
export interface ServersExamined {
  findings: Finding[];
  /** Of real servers, at least, where it is known: what else is to be checked depends on it. */
  version?: string;
}

/**
 * Downloads no servers; of the network it needs only the list of versions.
 * @param mongodb as `startCluster` takes it
 * @throws InputError when it names nothing
 */
export async function examineServers(mongodb: string, environment: NodeJS.ProcessEnv): Promise<ServersExamined> {
  refuseUnknown(mongodb);
  if (mongodb === 'embedded') return { findings: [embedded(thisMachine())] };
  if (mongodb === 'auto') return automatic(environment);
  if (isVersionOrRange(mongodb)) return downloaded(mongodb, environment);
  return installed(mongodb, environment);
}

/** The embedded engine, by the machine alone: no engine is started. */
export function embedded(machine: Machine): Finding {
  try {
    const { version, needsAdapting } = findEngine(machine);
    const how = needsAdapting ? `, adapted to glibc ${machine.glibc}` : '';
    return ok(`The embedded servers run here (engine ${version}${how})`);
  } catch (error) {
    if (!(error instanceof EmbeddedUnavailableError)) throw error;
    return problem(`The embedded servers do not run here: ${error.reason}`, 'use --mongodb 8.0, or system');
  }
}

/** What is missing is no problem as long as something runs. */
async function automatic(environment: NodeJS.ProcessEnv): Promise<ServersExamined> {
  const own = await installed('system', environment);
  if (isFine(own)) return own;
  const fetched = await downloaded(environment.MONGOMS_VERSION || DEFAULT_VERSION, environment);
  const last = embedded(thisMachine());
  const findings = [...own.findings, ...fetched.findings, last];
  if (isFine(fetched)) return { ...fetched, findings: softened(findings) };
  return { findings: last.severity === 'ok' ? softened(findings) : findings };
}

function isFine({ findings }: ServersExamined): boolean {
  return findings.every(({ severity }) => severity === 'ok');
}

function softened(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => (finding.severity === 'problem' ? { ...finding, severity: 'warning' } : finding));
}

async function installed(mongodb: string, environment: NodeJS.ProcessEnv): Promise<ServersExamined> {
  try {
    const { mongod, version } = await resolveDistribution(mongodb, environment, () => {});
    return { findings: [ok(`mongod and mongos ${version} in ${dirname(mongod)} run`)], version };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return {
      findings: [
        problem(capitalised(error.message), 'name a folder with mongod and mongos, or a version (--mongodb 8.0)'),
      ],
    };
  }
}

async function downloaded(asked: string, environment: NodeJS.ProcessEnv): Promise<ServersExamined> {
  const options: DownloadOptions = { environment, say: () => {} };
  try {
    return (await cached(asked, options)) ?? (await published(asked, options));
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    const version = oldestMeant(asked);
    return {
      findings: [problem(error.message, 'use another version, or --mongodb system or embedded')],
      ...(version !== undefined && { version }),
    };
  }
}

async function cached(asked: string, options: DownloadOptions): Promise<ServersExamined | undefined> {
  const version = await cachedVersion(asked, options);
  if (version === undefined) return undefined;
  const { mongod } = await resolveDownload(version, { ...options, offline: true });
  return { findings: [ok(`MongoDB ${version} is in ${dirname(mongod)} and runs`)], version };
}

async function published(asked: string, options: DownloadOptions): Promise<ServersExamined> {
  const { version, url } = await findBuild(asked, options);
  return {
    findings: [ok(`MongoDB ${version} has a build for this machine, which will be fetched from ${url}`)],
    version,
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
