import { expect, it } from 'vitest';
import { explainLoading } from './loading.ts';

const missing = (library: string) =>
  `mongod: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory`;

it.each([
  [missing('libcrypto.so.1.1'), /^it was built with OpenSSL 1\.1, .*7\.0 has builds/],
  [missing('libssl.so.10'), /^it was built with OpenSSL 1\.0;/],
  [missing('libcrypto.so.3'), /^it was built with OpenSSL 3, .*; update it, or use an older MongoDB$/],
  [missing('libcurl.so.4'), /^install libcurl /],
  [missing('liblzma.so.5'), /^install liblzma /],
  [missing('libsasl2.so.2'), /^install the package that has this library$/],
  [
    "mongod: /lib/libc.so.6: version `GLIBC_2.34' not found (required by mongod)",
    /^this system’s C or C\+\+ library is older/,
  ],
  ["mongod: version `GLIBCXX_3.4.29' not found", /^this system’s C or C\+\+ library is older/],
  ['Command was killed with SIGILL (Illegal instruction): mongod --version', /^the processor lacks instructions/],
  ['sh: mongod: Exec format error', /^it is no program for this kind of processor/],
  [
    'Command failed with ENOENT: /bin/mongod --version\nspawn /bin/mongod ENOENT',
    /musl \(Alpine\); use a Linux with glibc$/,
  ],
])('%s is explained', (said, explanation) => {
  expect(explainLoading(said)).toMatch(explanation);
});

it('what is not known is not explained', () => {
  expect(explainLoading('Segmentation fault')).toBeUndefined();
});
