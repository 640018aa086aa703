/** Whether a machine can run servers of a version: known reasons why they crash or refuse to start. Pure. */
import semver from 'semver';
import { serverVersion } from '../distributions/version.ts';
import type { Facts } from './facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** @param version of real servers: `8.0.4` */
export function machineFindings(facts: Facts, version: string): Finding[] {
  return [processor, kernel, appleSilicon].flatMap((check) => check(facts, serverVersion(version)) ?? []);
}

/**
 * MongoDB 5.0 and newer need AVX on x86-64 and ARMv8.2-A on arm64, whose processors all have the atomic instructions of 8.1
 * (https://www.mongodb.com/docs/manual/administration/production-notes/#x86_64). Without them a server dies of SIGILL and says nothing.
 */
function processor({ arch, processor }: Facts, version: string): Finding | undefined {
  const needed = arch === 'x64' ? 'avx' : arch === 'arm64' ? 'atomics' : undefined;
  if (!needed || processor.size === 0 || semver.lt(version, '5.0.0')) return undefined;
  if (processor.has(needed)) return ok(`The processor has what MongoDB ${series(version)} needs (${needed})`);
  return problem(
    `MongoDB 5.0 and newer need a processor with ${PROCESSORS[needed]}, and this one has none: servers will be killed by SIGILL`,
    'use --mongodb 4.4; in a virtual machine, pass the host’s processor on',
  );
}

const PROCESSORS = { avx: 'AVX', atomics: 'the instructions of ARMv8.2-A' } as const;

/**
 * The memory allocator of MongoDB 8.0 and newer crashes on Linux from 6.19 to before 7.0.14; newer builds look at the kernel's version and
 * refuse to start, with log id 12257600 (SERVER-121912, https://www.mongodb.com/docs/manual/release-notes/8.0/).
 */
function kernel({ platform, kernel }: Facts, version: string): Finding | undefined {
  const running = semver.coerce(kernel);
  if (platform !== 'linux' || !running || semver.lt(version, '8.0.0')) return undefined;
  if (!semver.satisfies(running, '>=6.19.0 <7.0.14'))
    return ok(`Linux ${kernel} and MongoDB ${series(version)} go together`);
  return problem(
    `MongoDB 8.0 and newer crash, or refuse to start, on Linux 6.19 to 7.0.13, and this is ${kernel} (SERVER-121912)`,
    'update Linux to 7.0.14 or newer, or use --mongodb 7.0',
  );
}

/** Builds for arm64 begin with 6.0. Rosetta knows AVX only since macOS 15, and 5.0 needs it. */
function appleSilicon({ platform, arch }: Facts, version: string): Finding | undefined {
  if (platform !== 'darwin' || arch !== 'arm64' || semver.gte(version, '6.0.0')) return undefined;
  return warning(
    `MongoDB ${version} has no build for Apple silicon; the one for Intel needs Rosetta${semver.gte(version, '5.0.0') ? ' of macOS 15 or newer' : ''}`,
    'install it with `softwareupdate --install-rosetta`, or use --mongodb 6.0 or newer',
  );
}

/** `8.0`: the release may not be known yet. */
function series(version: string): string {
  return `${semver.major(version)}.${semver.minor(version)}`;
}
