/** `hello` and `isMaster` of a mongos (src/mongo/s/commands/cluster_hello_cmd.cpp): no set, no `topologyVersion`, so nothing to await. */
import { noteClient } from '../../marking.ts';
import { field, truthy } from '../../wire/bson.ts';
import { type Call, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';

const SESSION_TIMEOUT_MINUTES = 30;

export const helloCommands: Readonly<Record<string, CommandHandler>> = {
  hello: async (call, router) => hello(call, router, 'isWritablePrimary'),
  isMaster: async (call, router) => hello(call, router, 'ismaster'),
  ismaster: async (call, router) => hello(call, router, 'ismaster'),
  isdbgrid: async (_call, router) => modelReply({ isdbgrid: 1, hostname: router.address.split(':')[0] }),
};

function hello({ body, connection }: Call, router: Router, primaryField: string): Reply {
  noteClient(body, connection);
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
