/** What a build must fit: the operating system, its edition and the processor. */
import { readFile } from 'node:fs/promises';

/** A machine that servers are to run on. */
export interface Machine {
  /** As `process.platform` and `process.arch` say it. */
  platform: string;
  arch: string;
  /** `/etc/os-release` (https://www.freedesktop.org/software/systemd/man/os-release.html); empty where there is none. */
  osRelease: Readonly<Record<string, string>>;
}

/** The machine that this process runs on. */
export async function thisMachine(): Promise<Machine> {
  const text = process.platform === 'linux' ? await readFile('/etc/os-release', 'utf8').catch(() => '') : '';
  return { platform: process.platform, arch: process.arch, osRelease: parseOsRelease(text) };
}

/** The assignments of an os-release file, without their quotes. */
export function parseOsRelease(text: string): Record<string, string> {
  const lines = text.matchAll(/^([A-Z_]+)=(["']?)(.*)\2$/gm);
  return Object.fromEntries([...lines].map(([, name, , value]) => [name, value]));
}

/** Part of a file name; two machines with the same one can use the same build: `linux-x64-debian-12`, `darwin-arm64`. */
export function machineName({ platform, arch, osRelease }: Machine): string {
  const parts = [platform, arch, osRelease.ID, osRelease.VERSION_ID];
  return parts
    .map((part) => part?.replace(/[^\w.]+/g, '_'))
    .filter(Boolean)
    .join('-');
}

/** For people: `Debian GNU/Linux 12 (bookworm) on x64`. */
export function machineText({ platform, arch, osRelease }: Machine): string {
  return `${osRelease.PRETTY_NAME ?? SYSTEMS[platform] ?? platform} on ${arch}`;
}

const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'this Linux' };

/**
 * The best build for a Linux distribution that `mongodb-download-url` 1.8 does not know (Rocky, Fedora, Mint …), or which it takes
 * for another release (RHEL 8.10 for one after 9; on Debian 13 it would take a build for Debian 10 before one for Debian 12).
 * @param targets of the builds that there are: `debian12`, `rhel93` …
 * @returns undefined where that library knows better, and where no build fits
 */
export function distroHint({ osRelease }: Machine, targets: readonly string[]): string | undefined {
  const ids = [osRelease.ID, ...(osRelease.ID_LIKE ?? '').split(' ')].filter((id) => id !== undefined && id !== '');
  const family = FAMILIES.find(({ members }) => ids.some((id) => members.includes(id as string)));
  const release = family?.release(osRelease);
  if (!family || release === undefined || KNOWN.includes(osRelease.ID ?? '')) return undefined;
  const fitting = targets
    .map((target) => ({ target, number: family.number(target) }))
    .filter(({ number }) => number <= release + 0.99); // a build for 9.3 runs on 9.1: what counts is the major release
  return fitting.sort((a, b) => b.number - a.number)[0]?.target;
}

/** Distributions whose builds `mongodb-download-url` finds by itself. */
const KNOWN: readonly string[] = ['ubuntu', 'suse', 'sles', 'amzn'];

interface Family {
  members: readonly string[];
  /** The release of the family's head that this one corresponds to. */
  release(osRelease: Readonly<Record<string, string>>): number | undefined;
  /** The release that a target is built for; NaN for other families' targets. */
  number(target: string): number;
}

const UBUNTU_RELEASES: Readonly<Record<string, number>> = { focal: 20, jammy: 22, noble: 24, resolute: 26 };

/** A distribution belongs to the first that has it among its members: Mint is like Ubuntu and like Debian. */
const FAMILIES: readonly Family[] = [
  {
    members: ['ubuntu'],
    release: ({ UBUNTU_CODENAME }) => UBUNTU_RELEASES[UBUNTU_CODENAME ?? ''],
    number: (target) => Number(/^ubuntu(\d\d)04$/.exec(target)?.[1] ?? Number.NaN),
  },
  {
    members: ['debian'],
    release: ({ ID, VERSION_ID }) => (ID === 'debian' && VERSION_ID ? Number(VERSION_ID) : undefined),
    number: (target) => Number(/^debian(1\d)$/.exec(target)?.[1] ?? Number.NaN), // 81 and 92 are 8.1 and 9.2
  },
  {
    members: ['rhel', 'centos', 'fedora'],
    // Fedora 34 is what RHEL 9 was made from (https://docs.fedoraproject.org/en-US/quick-docs/fedora-and-red-hat-enterprise-linux/).
    release: ({ ID, VERSION_ID = '' }) =>
      ID === 'fedora' ? (Number(VERSION_ID) >= 34 ? 9 : 8) : Number.parseInt(VERSION_ID, 10),
    number: (target) => rhelNumber(/^rhel(\d+)$/.exec(target)?.[1]),
  },
  {
    members: ['suse', 'opensuse'],
    release: ({ VERSION_ID = '' }) => Number.parseInt(VERSION_ID, 10),
    number: (target) => Number(/^suse(\d\d)$/.exec(target)?.[1] ?? Number.NaN),
  },
];

/** `70` is 7.0 and `93` is 9.3, but `8` is any 8. */
function rhelNumber(digits: string | undefined): number {
  const number = Number(digits ?? Number.NaN);
  return number >= 50 ? number / 10 : number;
}
