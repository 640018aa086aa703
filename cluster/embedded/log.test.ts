import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { logLine } from './log.ts';

test('a line has the fields of a server’s in their order', () => {
  const entry = { component: 'NETWORK', id: 23016, context: 'listener', message: 'Waiting for connections' };
  const line = logLine({ ...entry, attributes: { port: 27017, ssl: 'off' } }, new Date(0));
  expect(line).toBe(
    '{"t":{"$date":"1970-01-01T00:00:00.000+00:00"},"s":"I","c":"NETWORK","id":23016,"ctx":"listener","msg":"Waiting for connections","attr":{"port":27017,"ssl":"off"}}',
  );
});

test('severity and thread have defaults, and no attributes leave no trace', () => {
  const line = logLine({ severity: 'E', component: 'CONTROL', id: 1, message: 'm' }, new Date(0));
  expect(JSON.parse(line)).toEqual({
    t: { $date: '1970-01-01T00:00:00.000+00:00' },
    s: 'E',
    c: 'CONTROL',
    id: 1,
    ctx: 'initandlisten',
    msg: 'm',
  });
});

test.runIf(process.platform === 'linux')('a log whose disk is full ends nothing', () => {
  const script = `
    const { log } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)});
    log({ component: 'CONTROL', id: 1, message: 'm' });
    console.error('still here');`;
  const args = [
    '-c',
    '"$@" 2>&1 >/dev/full',
    'sh',
    process.execPath,
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
  ];
  expect(execFileSync('sh', args, { encoding: 'utf8' })).toBe('still here\n');
});
