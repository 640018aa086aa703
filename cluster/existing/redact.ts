/** Keeps what is secret in a connection string out of texts: a driver's errors may quote the whole of it. */

const SECRET = '<secret>';
/** Options that hold secrets (https://www.mongodb.com/docs/manual/reference/connection-string-options/), in lower case. */
const SECRET_OPTIONS = new Set(['authmechanismproperties', 'tlscertificatekeyfilepassword', 'proxypassword']);

/**
 * @param uri with credentials or without, and possibly none that a driver takes
 * @returns replaces in a text the user and password before any host, and the secrets of `uri` wherever they stand as words
 */
export function redactor(uri: string): (text: string) => string {
  const secrets = secretsIn(uri).map((secret) => new RegExp(`(?<!\\w)${escaped(secret)}(?!\\w)`, 'g'));
  return (text) =>
    secrets.reduce(
      (rest, secret) => rest.replace(secret, SECRET),
      text.replace(/(mongodb(?:\+srv)?:\/\/)[^\s"']*@/g, `$1${SECRET}@`),
    );
}

/** As they are written and as they are meant, longest first. */
function secretsIn(uri: string): string[] {
  const written = [passwordIn(uri), ...optionsIn(uri)].filter((one) => one !== '');
  return [...new Set(written.flatMap((one) => [one, decoded(one)]))].sort((a, b) => b.length - a.length);
}

function passwordIn(uri: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^:]*:(.*)@/s.exec(uri)?.[1] ?? '';
}

function optionsIn(uri: string): string[] {
  const pairs = uri.slice(uri.indexOf('?') + 1).split('&');
  return pairs.flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return SECRET_OPTIONS.has(name.toLowerCase()) ? [value] : [];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // and the driver will say that it cannot be decoded
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
