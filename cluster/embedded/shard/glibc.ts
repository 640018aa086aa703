/**
 * Makes a shared library that was linked against glibc 2.38 loadable on glibc 2.36 and 2.37. The engine's libraries need seven
 * symbols of 2.38: the C23 spellings of six functions (`__isoc23_strtol` …), which differ from the plain ones only in accepting
 * binary literals, and `fmod`, whose new version only stopped setting errno. All seven exist under older versions too.
 * ELF and symbol versions: https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html
 */
const TOO_NEW = 'GLIBC_2.38';
const C23_PREFIX = '__isoc23_';
const SHT_DYNSYM = 11;
const SHT_GNU_VERNEED = 0x6ffffffe;
const SHT_GNU_VERSYM = 0x6fffffff;
const VER_FLG_WEAK = 2;
const SYMBOL_BYTES = 24;

/** The first version of each symbol that an architecture's glibc has. arm64 is untried: nobody has run it here. */
const BASE_VERSIONS: Readonly<Record<string, string>> = { x64: 'GLIBC_2.2.5', arm64: 'GLIBC_2.17' };

/** A library asks for something of glibc 2.38 that has no older equivalent, or is no 64-bit little-endian ELF file. */
export class AdaptationError extends Error {
  override readonly name = 'AdaptationError';
}

/** What a C library can do with the engine's files. */
export type GlibcSupport = 'native' | 'adaptable' | 'too old';

/** @param version glibc's own version, such as `2.36` */
export function glibcSupport(version: string): GlibcSupport {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const release = major * 1000 + minor;
  if (release >= 2038) return 'native';
  return release >= 2036 ? 'adaptable' : 'too old';
}

/**
 * A copy of a shared library that loads on glibc 2.36: symbols of 2.38 become their oldest version, under their plain name.
 * @param library the file's bytes
 * @param arch Node's name of the architecture, `x64` or `arm64`
 * @throws AdaptationError when the library needs more of glibc 2.38 than that
 */
export function adaptToGlibc236(library: Buffer, arch: string): Buffer {
  const base = BASE_VERSIONS[arch];
  if (!base) throw new AdaptationError(`no glibc base version is known for ${arch}`);
  const image = Buffer.from(library);
  const sections = sectionsOf(image);
  const replacements = replaceVersions(image, sections, base);
  retargetSymbols(image, sections, replacements);
  return image;
}

interface Section {
  type: number;
  offset: number;
  size: number;
  /** Number of the string table that belongs to it. */
  link: number;
}

function sectionsOf(image: Buffer): Section[] {
  if (image.length < 64 || image.readUInt32BE(0) !== 0x7f454c46 || image[4] !== 2 || image[5] !== 1) {
    throw new AdaptationError('not a 64-bit little-endian ELF file');
  }
  const table = Number(image.readBigUInt64LE(0x28));
  const entryBytes = image.readUInt16LE(0x3a);
  return Array.from({ length: image.readUInt16LE(0x3c) }, (_, i) => sectionAt(image, table + i * entryBytes));
}

function sectionAt(image: Buffer, at: number): Section {
  return {
    type: image.readUInt32LE(at + 4),
    offset: Number(image.readBigUInt64LE(at + 24)),
    size: Number(image.readBigUInt64LE(at + 32)),
    link: image.readUInt32LE(at + 40),
  };
}

/** Flags each need of 2.38 as weak and returns, by its version index, the index of the same library's base version. */
function replaceVersions(image: Buffer, sections: Section[], base: string): Map<number, number> {
  const needs = sectionOfType(sections, SHT_GNU_VERNEED);
  const names = stringsOf(sections, needs);
  const replacements = new Map<number, number>();
  for (const needed of chain(image, needs.offset, 12)) {
    const versions = [...chain(image, needed + image.readUInt32LE(needed + 8), 12)].map((at) => ({
      at,
      index: image.readUInt16LE(at + 6),
      name: stringAt(image, names, image.readUInt32LE(at + 8)),
    }));
    const old = versions.find(({ name }) => name === base);
    for (const { at, index, name } of versions) {
      if (name !== TOO_NEW) continue;
      if (!old) throw new AdaptationError(`a library is needed in version ${TOO_NEW} but not in ${base}`);
      image.writeUInt16LE(image.readUInt16LE(at + 4) | VER_FLG_WEAK, at + 4);
      replacements.set(index, old.index);
    }
  }
  return replacements;
}

/** The places of a linked list of records, each holding the distance to the next at `nextField`. */
function* chain(image: Buffer, first: number, nextField: number): Generator<number> {
  for (let at = first, step = -1; step !== 0; at += step) {
    step = image.readUInt32LE(at + nextField);
    yield at;
  }
}

function retargetSymbols(image: Buffer, sections: Section[], replacements: ReadonlyMap<number, number>): void {
  const symbols = sectionOfType(sections, SHT_DYNSYM);
  const versions = sectionOfType(sections, SHT_GNU_VERSYM);
  const names = stringsOf(sections, symbols);
  for (let i = 0; i < symbols.size / SYMBOL_BYTES; i++) {
    const older = replacements.get(image.readUInt16LE(versions.offset + 2 * i));
    if (older === undefined) continue;
    const at = symbols.offset + SYMBOL_BYTES * i;
    const nameOffset = image.readUInt32LE(at);
    const name = stringAt(image, names, nameOffset);
    if (name.startsWith(C23_PREFIX)) image.writeUInt32LE(nameOffset + C23_PREFIX.length, at);
    else if (name !== 'fmod') throw new AdaptationError(`${name} of ${TOO_NEW} has no older equivalent`);
    image.writeUInt16LE(older, versions.offset + 2 * i);
  }
}

function sectionOfType(sections: Section[], type: number): Section {
  const found = sections.find((section) => section.type === type);
  if (!found) throw new AdaptationError(`the library has no section of type 0x${type.toString(16)}`);
  return found;
}

function stringsOf(sections: Section[], section: Section): Section {
  const strings = sections[section.link];
  if (!strings) throw new AdaptationError('a section has no string table');
  return strings;
}

function stringAt(image: Buffer, strings: Section, offset: number): string {
  const start = strings.offset + offset;
  return image.toString('latin1', start, image.indexOf(0, start));
}
