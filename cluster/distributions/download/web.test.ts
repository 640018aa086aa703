import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, LIMITS, Mirror } from './mirror.fixture.ts';
import { Web } from './web.ts';

let mirror: Mirror;
beforeEach(async () => {
  mirror = await Mirror.start();
});
afterEach(() => mirror[Symbol.asyncDispose]());

describe('a short reply that breaks off', () => {
  /** In the middle, so many times. */
  function breaking(times: number): Answer {
    let left = times;
    return (_, response) => {
      response.writeHead(200, { 'content-length': 5 });
      if (left-- > 0) response.write('wh', () => response.destroy());
      else response.end('whole');
    };
  }

  it('is asked for again', async () => {
    mirror.paths.set('/list', breaking(2));
    await using web = await Web.open({}, LIMITS);
    expect(await web.text(`${mirror.url}/list`)).toBe('whole');
    expect(mirror.count('/list')).toBe(3);
  });

  it('is given up after three times', async () => {
    mirror.paths.set('/list', breaking(9));
    await using web = await Web.open({}, LIMITS);
    await expect(web.text(`${mirror.url}/list`)).rejects.toThrow(`${mirror.url}/list broke off 3 times (`);
    expect(mirror.count('/list')).toBe(3);
  });
});

it('a short reply that never ends is given up', async () => {
  mirror.paths.set('/list', (_, response) => response.writeHead(200).write('x'));
  await using web = await Web.open({}, { ...LIMITS, total: 300 });
  await expect(web.text(`${mirror.url}/list`)).rejects.toThrow(`${mirror.url}/list took longer than 0.005 minutes`);
  expect(mirror.count('/list')).toBe(1);
});

it('a proxy may be named without http://', async () => {
  const proxy = createServer().on('connect', (_, client) => client.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  try {
    await using web = await Web.open({ HTTPS_PROXY: `127.0.0.1:${(proxy.address() as AddressInfo).port}` }, LIMITS);
    await expect(web.text('https://mirror.invalid/list')).rejects.toThrow(
      /^mirror\.invalid cannot be reached \(Proxy response \(403\)/,
    );
  } finally {
    proxy.close();
  }
});
