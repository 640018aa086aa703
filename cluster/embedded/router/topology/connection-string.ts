/** Connection strings of replica sets and hosts, as the server prints and reads them (src/mongo/client/connection_string.cpp). */

/** `<set>/<host:port>,…`, or one `host:port` without a set. */
export interface ConnectionString {
  /** Empty for a single host. */
  setName: string;
  hosts: string[];
}

const SHARD_PORT = 27018;

/** What a connection string names; `undefined` when it is none. A host without a port gets a shard's default one. */
export function parseConnectionString(written: string): ConnectionString | undefined {
  const slash = written.indexOf('/');
  const setName = slash < 0 ? '' : written.slice(0, slash);
  const hosts = written
    .slice(slash + 1)
    .split(',')
    .map(withPort);
  const valid =
    slash !== 0 && (setName !== '' || hosts.length === 1) && hosts.every((host) => /^[^:/]+:\d+$/.test(host));
  return valid ? { setName, hosts } : undefined;
}

export function connectionText({ setName, hosts }: ConnectionString): string {
  return setName === '' ? hosts.join(',') : `${setName}/${hosts.join(',')}`;
}

function withPort(host: string): string {
  return host.includes(':') ? host : `${host}:${SHARD_PORT}`;
}
