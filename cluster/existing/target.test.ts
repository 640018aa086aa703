import { expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { targetOf } from './target.ts';

test.each([
  ['mongodb://127.0.0.1:27017', ['127.0.0.1:27017'], true],
  ['mongodb://localhost,[::1]:27018/?tls=true', ['localhost:27017', '[::1]:27018'], true],
  ['mongodb://127.0.0.1,db.example.com', ['127.0.0.1:27017', 'db.example.com:27017'], false],
  ['mongodb://localhost.example.com', ['localhost.example.com:27017'], false],
  ['mongodb+srv://ann:secret@cluster.example.com', ['cluster.example.com'], false],
])('%s', (uri, hosts, isLoopback) => {
  expect(targetOf(uri)).toMatchObject({ hosts, isLoopback });
});

test.each(['mongodb://ann:hush@', 'http://ann:hush@h', 'mongodb://ann:hush@h/?nonsense=1', 'mongodb://ann:hu%zzsh@h'])(
  '%s is wrong input, and its password is not said',
  (uri) => {
    let said: unknown;
    try {
      targetOf(uri);
    } catch (error) {
      said = error;
    }
    expect(said).toBeInstanceOf(InputError);
    expect((said as Error).message).toMatch(/^--uri is not understood: (?!.*hush)/);
  },
);
