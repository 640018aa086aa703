import { describe, expect, it } from 'vitest';
import { InputError } from '../../errors.ts';
import { TimeExpired } from '../../waiting.ts';
import { parseChecksum } from './checksum.ts';
import { cacheProblem, Obstacle } from './errors.ts';
import { addressAt, sourceOf } from './source.ts';
import { extent } from './transfer.ts';
import { staysInside } from './unpack.ts';
import { unreachableText } from './web.ts';

const failure = (code: string, more: object = {}) => Object.assign(new Error(`failed: ${code}`), { code }, more);

describe('a published checksum', () => {
  const sum = '0123456789ABCDEF'.repeat(4);

  it.each([`${sum}  mongodb.tgz\n`, sum, `\n${sum.toLowerCase()} *mongodb.tgz`])('is read', (text) => {
    expect(parseChecksum(text, 'url')).toBe(sum.toLowerCase());
  });

  it.each(['', '<html>sign in</html>', sum.slice(1), `${sum}0`])('is not made up from "%s"', (text) => {
    expect(() => parseChecksum(text, 'https://x/a.sha256')).toThrow(
      new Obstacle('https://x/a.sha256 holds no SHA-256'),
    );
  });
});

describe('a path in an archive', () => {
  it.each(['a/bin/mongod', './a/bin/mongod', 'a/..b/c', 'a/...'])('%s stays inside', (path) => {
    expect(staysInside(path)).toBe(true);
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', 'a\\..\\..\\x', 'C:\\x', '\\x', 'a/..'])('%s leads out', (path) => {
    expect(staysInside(path)).toBe(false);
  });
});

describe('the source', () => {
  it('is MongoDB itself', () => {
    const source = sourceOf({});
    expect(source).toEqual({
      lists: ['https://downloads.mongodb.org/full.json'],
      archives: 'https://fastdl.mongodb.org',
    });
    expect(addressAt(source, 'http://downloads.mongodb.org/linux/a.tgz')).toBe(
      'https://fastdl.mongodb.org/linux/a.tgz',
    );
  });

  it('is a mirror, and MongoDB for the list that a mirror lacks', () => {
    const source = sourceOf({ MONGOMS_DOWNLOAD_MIRROR: 'https://mirror.example/mongodb/' });
    expect(source.lists).toEqual([
      'https://mirror.example/mongodb/full.json',
      'https://downloads.mongodb.org/full.json',
    ]);
    expect(addressAt(source, 'https://fastdl.mongodb.org/osx/a.tgz')).toBe('https://mirror.example/mongodb/osx/a.tgz');
  });

  it.each(['mirror.example', 'file:///srv', ' '])('is not "%s"', (mirror) => {
    expect(() => sourceOf({ MONGOMS_DOWNLOAD_MIRROR: mirror })).toThrow(InputError);
  });

  it.each(['https://ann:pa55@mirror.example', 'https://:pa55@mirror.example'])(
    'has no password in it, which is not shown',
    (mirror) => {
      expect(() => sourceOf({ MONGOMS_DOWNLOAD_MIRROR: mirror })).toThrow(/^(?!.*pa55).* holds a user or a password/);
    },
  );
});

describe('a failure of the network', () => {
  it.each<[string, unknown, string]>([
    [
      'DNS',
      failure('ENOTFOUND', { hostname: 'proxy' }),
      'the name proxy cannot be looked up (ENOTFOUND): there is no network, or it does not know the name',
    ],
    [
      'DNS that does not answer',
      failure('EAI_AGAIN'),
      'the name host:1 cannot be looked up (EAI_AGAIN): there is no network, or it does not know the name',
    ],
    [
      'nobody listening',
      failure('ECONNREFUSED', { address: '1.2.3.4', port: 3128 }),
      'host:1 cannot be reached: 1.2.3.4:3128 refuses connections',
    ],
    ['silence', new TimeExpired('nothing'), 'host:1 did not answer within 20 s'],
    ['silence while connecting', failure('UND_ERR_CONNECT_TIMEOUT'), 'host:1 did not answer within 20 s'],
    [
      'a certificate that nobody vouches for',
      failure('SELF_SIGNED_CERT_IN_CHAIN'),
      'host:1 cannot be reached (failed: SELF_SIGNED_CERT_IN_CHAIN); where a proxy opens TLS, NODE_EXTRA_CA_CERTS names the file of its certificate',
    ],
    ['anything else', failure('CERT_HAS_EXPIRED'), 'host:1 cannot be reached (failed: CERT_HAS_EXPIRED)'],
  ])('%s', (_, error, text) => {
    expect(unreachableText('host:1', error, 20_000)).toBe(text);
  });
});

describe('a failure of the disk', () => {
  it('is explained where its code says enough, and left alone where not', () => {
    const text = (code: string) => (cacheProblem('/cache', failure(code)) as Error).message;
    expect(text('ENOSPC')).toBe(
      'the disk that holds /cache is full (ENOSPC); MONGOMS_DOWNLOAD_DIR can name another folder',
    );
    expect(text('EROFS')).toBe('/cache cannot be written (EROFS); MONGOMS_DOWNLOAD_DIR can name another folder');
    const other = failure('EIO');
    expect(cacheProblem('/cache', other)).toBe(other);
  });
});

it('says how far a transfer is', () => {
  expect(extent({ received: 1_500_000, total: 95_000_000 })).toBe('1.5 of 95.0 MB');
  expect(extent({ received: 1_500_000, total: undefined })).toBe('1.5 MB');
});
