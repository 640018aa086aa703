/** `hello` and `isMaster` of a mongos (src/mongo/s/commands/cluster_hello_cmd.cpp): no set, no `topologyVersion`, so nothing to await. */
import { field, text, truthy } from '../../wire/bson.ts';
import type { Connection } from '../../wire/server.ts';
import { type Call, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';

/** A client of this name learns who answered each of its commands. */
const MARKED_CLIENT = 'shardlab';
const APPLICATION = 'application';
const SESSION_TIMEOUT_MINUTES = 30;

export const helloCommands: Readonly<Record<string, CommandHandler>> = {
  hello: async (call, router) => hello(call, router, 'isWritablePrimary'),
  isMaster: async (call, router) => hello(call, router, 'ismaster'),
  ismaster: async (call, router) => hello(call, router, 'ismaster'),
  isdbgrid: async (_call, router) => modelReply({ isdbgrid: 1, hostname: router.address.split(':')[0] }),
};

/** Whether the client's handshake named it `shardlab`. */
export function wantsMarks(connection: Connection): boolean {
  return connection.state.get(APPLICATION) === MARKED_CLIENT;
}

function hello({ body, connection }: Call, router: Router, primaryField: string): Reply {
  const application = applicationName(body);
  if (application !== undefined) connection.state.set(APPLICATION, application);
  const { maxBsonObjectSize, maxMessageSizeBytes, maxWriteBatchSize, maxWireVersion, minWireVersion } = router.limits;
  return modelReply({
    [primaryField]: true,
    ...(truthy(field(body, 'helloOk')) ? { helloOk: true } : {}),
    msg: 'isdbgrid',
    maxBsonObjectSize,
    maxMessageSizeBytes,
    maxWriteBatchSize,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
    connectionId: connection.id,
    maxWireVersion,
    minWireVersion,
  });
}

function applicationName(body: Buffer): string | undefined {
  const client = field(body, 'client');
  const application = client && field(client.bytes, 'application');
  return application && text(field(application.bytes, 'name'));
}
