import { describe, expect, it } from 'vitest';
import { buildProblem, isModelled } from './build.ts';

const real = { version: '8.0.4', gitVersion: 'a', modules: [] };
const engine = { version: '9.0.0-alpha0', gitVersion: 'b', modules: ['embedded'] };
const model = { version: '9.0.0-alpha0', gitVersion: 'b', modules: ['shardlab-model'] };

describe('buildProblem', () => {
  const system = { kind: 'system', version: '8.0.4', gitVersion: 'a' } as const;
  const embedded = { kind: 'embedded', version: '9.0.0-alpha0', gitVersion: 'b' } as const;

  it('accepts what was asked for', () => {
    expect(buildProblem(real, 'mongod', system)).toBeUndefined();
    expect(buildProblem(real, 'mongos', system)).toBeUndefined();
    expect(buildProblem(engine, 'mongod', embedded)).toBeUndefined();
    expect(buildProblem(model, 'mongos', embedded)).toBeUndefined();
  });

  it('names another version, another commit and a missing module', () => {
    expect(buildProblem(real, 'mongod', embedded)).toBe('it is MongoDB 8.0.4');
    expect(buildProblem({ ...real, gitVersion: 'c' }, 'mongod', system)).toBe('it is of commit c, not a');
    expect(buildProblem(engine, 'mongos', embedded)).toBe('it does not name the module shardlab-model');
  });
});

it('a router is modelled when it says so itself, whatever its version', () => {
  expect([real, engine, model].map(isModelled)).toEqual([false, false, true]);
});
