import { describe, expect, it } from 'vitest';
import { canGo, directionOf, hashOf, keepsKeys, stepOfHash, stepTo } from './stepping.ts';

describe('stepTo', () => {
  it.each([
    ['next', 1, 2],
    ['next', 3, 3],
    ['back', 3, 2],
    ['back', 1, 1],
    ['first', 3, 1],
    ['last', 1, 3],
  ] as const)('%s of step %i of 3 is step %i', (direction, from, to) => {
    expect(stepTo(direction, from, 3)).toBe(to);
    expect(canGo(direction, from, 3)).toBe(from !== to);
  });

  it('has nowhere to go in an experiment of one step', () => {
    for (const direction of ['first', 'back', 'next', 'last'] as const) expect(canGo(direction, 1, 1)).toBe(false);
  });
});

describe('directionOf', () => {
  it.each([
    ['ArrowLeft', 'back'],
    ['ArrowRight', 'next'],
    ['Home', 'first'],
    ['End', 'last'],
    ['ArrowDown', undefined],
    ['a', undefined],
    ['constructor', undefined],
  ])('%s: %s', (key, direction) => {
    expect(directionOf(key)).toBe(direction);
  });
});

describe('stepOfHash', () => {
  it.each([
    ['#step-7', 7],
    ['#step-99', 9],
    ['#step-0', 1],
    ['#step-', undefined],
    ['#step-7x', undefined],
    ['#step--7', undefined],
    ['#steps', undefined],
    ['', undefined],
  ])('%s: %s', (hash, step) => {
    expect(stepOfHash(hash, 9)).toBe(step);
  });

  it('reads what hashOf writes', () => {
    expect(stepOfHash(hashOf(3), 9)).toBe(3);
  });
});

describe('keepsKeys', () => {
  const plain = { tag: 'DIV', isEditable: false, scrolls: false };

  it.each([
    [{ ...plain, tag: 'INPUT' }, true],
    [{ ...plain, tag: 'TEXTAREA' }, true],
    [{ ...plain, isEditable: true }, true],
    [{ ...plain, scrolls: true }, true],
    [{ ...plain, tag: 'BUTTON' }, false],
    [{ ...plain, tag: 'SUMMARY' }, false],
    [plain, false],
  ])('%j: %s', (target, kept) => {
    expect(keepsKeys(target)).toBe(kept);
  });
});
