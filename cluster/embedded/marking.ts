/** Tells the harness, and nobody else, who answered each command: one more field in every reply. */
import type { AnsweredBy, Reply } from './router/command.ts';
import { append, field, rawValue, text } from './wire/bson.ts';
import type { Connection } from './wire/server.ts';

/** The client whose handshake carries this application name is the harness. */
const MARKED_CLIENT = 'shardlab';
const APPLICATION = 'application';

/** Remembers the application name in a client's handshake, `hello` or `isMaster`. */
export function noteClient(handshake: Buffer, connection: Connection): void {
  const client = field(handshake, 'client');
  const application = client && field(client.bytes, 'application');
  const name = application && text(field(application.bytes, 'name'));
  if (name !== undefined) connection.state.set(APPLICATION, name);
}

/** The reply's BSON as this client is to see it. */
export function bytesFor(connection: Connection, { body, answeredBy }: Reply): Buffer {
  return connection.state.get(APPLICATION) === MARKED_CLIENT ? append(body, [mark(answeredBy)]) : body;
}

function mark(answeredBy: AnsweredBy): { name: string; type: number; bytes: Buffer } {
  return { name: '$shardlab', ...rawValue({ answeredBy }) };
}
