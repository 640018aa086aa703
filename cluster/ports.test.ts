import { Server } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { ClusterStartError } from './errors.ts';
import { onFreePort } from './ports.ts';

afterEach(() => vi.restoreAllMocks());

it('a machine that gives no port is named with its reason, and nothing is started', async () => {
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    setImmediate(() => this.emit('error', new Error('listen EMFILE: too many open files 127.0.0.1')));
    return this;
  });
  const start = vi.fn();
  const attempt = onFreePort('sh0', start);
  await expect(attempt).rejects.toThrow(ClusterStartError);
  await expect(attempt).rejects.toThrow('sh0 could not get a port (listen EMFILE: too many open files 127.0.0.1)');
  expect(start).not.toHaveBeenCalled();
});
