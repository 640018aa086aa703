import { describe, expect, it } from 'vitest';
import { archiveFor } from './lookup.ts';
import { type Machine, machineName, machineText, parseOsRelease } from './machine.ts';
import { archivePath, DEBIAN, DEBIAN_MACHINE, releaseOf } from './mirror.fixture.ts';

const linux = (osRelease: Record<string, string>, arch = 'x64'): Machine => ({ platform: 'linux', arch, osRelease });
const builds = (arch: string, ...targets: string[]) => targets.map((target) => ({ target, arch }));

/** The targets of 8.0 and, where they differ, of older releases. */
const release = releaseOf('8.0.4', [
  ...builds('x86_64', 'ubuntu2004', 'ubuntu2204', 'ubuntu2404', 'debian12', 'rhel8', 'rhel93', 'suse15', 'amazon2023'),
  ...builds('aarch64', 'ubuntu2204', 'rhel8', 'rhel93', 'amazon2023'),
  ...builds('x86_64', 'macos'),
  ...builds('arm64', 'macos'),
]);
const targetOf = async (machine: Machine, of = release) => {
  const url = await archiveFor(of, machine, [of]);
  return /mongodb-linux-(.+)-8\.0\.4\.tgz$/.exec(url)?.[1];
};

describe('the build', () => {
  it.each<[string, Record<string, string>, string]>([
    ['Debian 12', { ID: 'debian', VERSION_ID: '12' }, 'x86_64-debian12'],
    ['Debian 13, for which there is none', { ID: 'debian', VERSION_ID: '13' }, 'x86_64-debian12'],
    ['RHEL 8.10', { ID: 'rhel', VERSION_ID: '8.10', ID_LIKE: 'fedora' }, 'x86_64-rhel8'],
    ['Rocky Linux', { ID: 'rocky', VERSION_ID: '9.3', ID_LIKE: 'rhel centos fedora' }, 'x86_64-rhel93'],
    ['CentOS Stream', { ID: 'centos', VERSION_ID: '9', ID_LIKE: 'rhel fedora' }, 'x86_64-rhel93'],
    ['AlmaLinux 8', { ID: 'almalinux', VERSION_ID: '8.10', ID_LIKE: 'rhel centos fedora' }, 'x86_64-rhel8'],
    ['Fedora', { ID: 'fedora', VERSION_ID: '42' }, 'x86_64-rhel93'],
    [
      'Linux Mint',
      { ID: 'linuxmint', VERSION_ID: '22', ID_LIKE: 'ubuntu debian', UBUNTU_CODENAME: 'noble' },
      'x86_64-ubuntu2404',
    ],
    [
      'one like an Ubuntu for which there is none',
      { ID: 'linuxmint', VERSION_ID: '23', ID_LIKE: 'ubuntu debian', UBUNTU_CODENAME: 'resolute' },
      'x86_64-ubuntu2404',
    ],
    ['openSUSE', { ID: 'opensuse-leap', VERSION_ID: '15.6', ID_LIKE: 'suse opensuse' }, 'x86_64-suse15'],
  ])('for %s', async (_, osRelease, target) => {
    expect(await targetOf(linux(osRelease))).toBe(target);
  });

  it('for another processor', async () => {
    expect(await targetOf(linux({ ID: 'rocky', VERSION_ID: '9.3', ID_LIKE: 'rhel' }, 'arm64'))).toBe('aarch64-rhel93');
  });

  it('for macOS, on Apple silicon by Rosetta where there is no other', async () => {
    const mac: Machine = { platform: 'darwin', arch: 'arm64', osRelease: {} };
    expect(await targetOf(mac)).toBe('arm64-macos');
    expect(await targetOf(mac, releaseOf('8.0.4', builds('x86_64', 'macos')))).toBe('x86_64-macos');
  });

  it('of many that are looked up at once is each time the right one', async () => {
    const versions = ['7.0.1', '7.0.2', '8.0.4'];
    const found = versions.map((version) => archiveFor(releaseOf(version), DEBIAN_MACHINE, []));
    expect(await Promise.all(found)).toEqual(
      versions.map((version) => `https://fastdl.mongodb.org${archivePath(version)}`),
    );
  });
});

describe('no build', () => {
  it('for the machine: the nearest version that has one is named', async () => {
    const mips = linux(DEBIAN_MACHINE.osRelease, 's390x');
    const list = [
      ...['8.0.4', '7.0.9'].map((version) => releaseOf(version)),
      releaseOf('6.0.1', [{ ...DEBIAN, arch: 's390x' }]),
      releaseOf('6.0.3', [{ ...DEBIAN, arch: 's390x' }]),
    ];
    await expect(archiveFor(list[0]!, mips, list)).rejects.toThrow(
      '8.0.4 has no build for Debian GNU/Linux 12 (bookworm) on s390x; the nearest version that has one is 6.0.3',
    );
    await expect(archiveFor(list[0]!, mips, list.slice(0, 2))).rejects.toThrow('on s390x; nor has any other version');
  });

  it('that can be unpacked here', async () => {
    const windows = releaseOf('8.0.4', [{ target: 'windows', arch: 'x86_64' }], 'zip');
    const machine: Machine = { platform: 'win32', arch: 'x64', osRelease: {} };
    await expect(archiveFor(windows, machine, [windows])).rejects.toThrow('its archive for Windows on x64 is no .tgz');
  });
});

describe('a machine', () => {
  const text = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\nHOME_URL="https://x/"\n';

  it('has a name for files and one for people', () => {
    const debian = linux(parseOsRelease(text));
    expect([machineName(debian), machineText(debian)]).toEqual([
      'linux-x64-debian-12',
      'Debian GNU/Linux 12 (bookworm) on x64',
    ]);
    const mac: Machine = { platform: 'darwin', arch: 'arm64', osRelease: {} };
    expect([machineName(mac), machineText(mac)]).toEqual(['darwin-arm64', 'macOS on arm64']);
    expect(machineName(linux({ ID: 'a/../b', VERSION_ID: '1 2' }))).toBe('linux-x64-a_.._b-1_2');
  });
});
