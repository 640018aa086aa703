import { describe, expect, it } from 'vitest';
import { InputError } from '../../errors.ts';
import { checkAsked, isExact, isVersionOrRange, newestOf, releaseFor } from './versions.ts';

const releases = [
  '4.2.24',
  '4.4.29',
  '5.0.30',
  '6.0.19',
  '7.0.16',
  '7.3.4',
  '8.0.4',
  '8.0.10',
  '8.0.9',
  '8.1.0-rc0',
  '9.0.0-alpha0',
].map((version) => ({ version, production_release: !/-|7\.3/.test(version) }));

describe('what is asked for', () => {
  it.each(['8.0', '8', 'v8.0.4', '8.0.4', '9.0.0-rc1', '8.x', '^8', '~8.0', '>=6 <8', '7 || 8', 'latest'])(
    '%s is a version or range',
    (text) => {
      expect(isVersionOrRange(text)).toBe(true);
    },
  );

  it.each(['auto', 'system', '', '*', 'x', './8.0', '8.0/bin', '8.0.4.5', 'eight'])('"%s" is none', (text) => {
    expect(isVersionOrRange(text)).toBe(false);
    expect(() => checkAsked(text)).toThrow(
      new InputError(`"${text}" is no version of MongoDB (8.0.4) and no range (8.0, 7, ">=6 <8", latest)`),
    );
  });

  it.each(['4.2', '3.6.23', '<4.4'])('%s is too old', (text) => {
    expect(() => checkAsked(text)).toThrow(
      new InputError(`MongoDB ${text} is too old: the oldest that MongoDB’s Node.js driver 7.9 talks to is 4.4`),
    );
  });

  it('that may mean something new enough is accepted', () => {
    for (const text of ['4', '4.4', '<5', '4.4.0-rc0']) expect(() => checkAsked(text)).not.toThrow();
  });

  it('is one release or may be several', () => {
    expect(['8.0.4', 'v8.0.4', '9.0.0-alpha0'].every(isExact)).toBe(true);
    expect(['8.0', '>=8.0.4', 'latest'].some(isExact)).toBe(false);
  });
});

describe('the release that is meant', () => {
  it.each([
    ['8.0', '8.0.10'],
    ['8', '8.0.10'],
    ['8.0.9', '8.0.9'],
    ['>=6 <8', '7.3.4'],
    ['<5', '4.4.29'],
    ['latest', '8.0.10'],
    ['9.0.0-alpha0', '9.0.0-alpha0'],
  ])('by %s is %s', (asked, version) => {
    expect(newestOf(asked, releases)?.version).toBe(version);
  });

  it.each([
    ['8.0.11', '8.0.10, 8.0.9, 8.0.4'],
    ['8.2', '8.0.10, 8.0.9, 8.0.4'],
    ['10', '8.0.10, 8.0.9, 8.0.4'],
    ['4.4.1', '4.4.29, 5.0.30, 6.0.19'],
  ])('by %s does not exist, but %s do', (asked, nearest) => {
    expect(() => releaseFor(asked, releases)).toThrow(`there is no such version; the nearest are ${nearest}`);
  });

  it.each(['8.1', '9.0', '9'])('by %s is not there yet, but a candidate is', (asked) => {
    expect(() => releaseFor(asked, releases)).toThrow(
      /^it is not released; [89]\.[01]\.0-(rc|alpha)0 can be named in full$/,
    );
  });

  it('is none of an empty list', () => {
    expect(() => releaseFor('8.0', [])).toThrow('the list of versions names none that can be used');
  });
});
