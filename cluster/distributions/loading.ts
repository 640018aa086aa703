/** Why a program does not run, where the dynamic linker says it. Pure. */

interface Cause {
  said: RegExp;
  explanation: string;
}

const OTHER_BUILD = 'this build was made for another release of the operating system';

/** In the words of glibc's linker (elf/dl-load.c), musl's and macOS's. */
const CAUSES: readonly Cause[] = [
  {
    said: /lib(crypto|ssl)\.so\.1\.1/,
    explanation:
      'it was built with OpenSSL 1.1, which Debian 12, Ubuntu 22.04, RHEL 9 and newer do not have; use a newer MongoDB (7.0 has builds for all of these), or install OpenSSL 1.1 (libssl1.1)',
  },
  {
    said: /lib(crypto|ssl)\.so\.(10|1\.0)/,
    explanation: `it was built with OpenSSL 1.0; ${OTHER_BUILD}; use a newer MongoDB`,
  },
  {
    said: /lib(crypto|ssl)\.so\.3/,
    explanation: `it was built with OpenSSL 3, which this system does not have; ${OTHER_BUILD}; update it, or use an older MongoDB`,
  },
  {
    said: /libcurl\.so\.4/,
    explanation: 'install libcurl (Debian and Ubuntu: apt-get install libcurl4; RHEL and Fedora: dnf install libcurl)',
  },
  {
    said: /liblzma\.so\.5/,
    explanation: 'install liblzma (Debian and Ubuntu: apt-get install liblzma5; RHEL: dnf install xz-libs)',
  },
  {
    said: /version [`'](GLIBC|GLIBCXX)_[\d.]+' not found/,
    explanation: `this system’s C or C++ library is older than the one it was built with; ${OTHER_BUILD}; update it, or use an older MongoDB`,
  },
  {
    said: /SIGILL/,
    explanation:
      'the processor lacks instructions that it needs: 5.0 and newer need AVX, on arm64 ARMv8.2-A; use --mongodb 4.4',
  },
  { said: /error while loading shared libraries: (\S+?):/, explanation: 'install the package that has this library' },
  {
    said: /exec format error|ENOEXEC|Bad CPU type/i,
    explanation: 'it is no program for this kind of processor; use the build for this one',
  },
  {
    said: /spawn .* ENOENT/,
    explanation:
      'the file is there, but not the dynamic linker that it names: a build for glibc does not run on musl (Alpine); use a Linux with glibc',
  },
];

/**
 * @param said what the program or the system said when it was started
 * @returns what is the matter and what to do, as a clause; undefined for what is not known
 */
export function explainLoading(said: string): string | undefined {
  return CAUSES.find((cause) => cause.said.test(said))?.explanation;
}
