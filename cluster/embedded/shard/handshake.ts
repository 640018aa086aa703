/** `hello` and `isMaster`: who this server is to a driver (src/mongo/db/repl/replication_info.cpp). */
import type { Document } from 'bson';
import { noteClient } from '../marking.ts';
import { modelReply, type Reply } from '../router/command.ts';
import { field, truthy } from '../wire/bson.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';
import type { ReplicaSet } from './replica-set.ts';

/** By name. Sessions are not announced and `topologyVersion` is left out: the engine has no sessions, and no hello is awaited. */
export const HANDSHAKE_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  hello: (command, mongod) => handshake(command, mongod, 'isWritablePrimary'),
  isMaster: (command, mongod) => handshake(command, mongod, 'ismaster'),
  ismaster: (command, mongod) => handshake(command, mongod, 'ismaster'),
};

function handshake({ request, connection }: Command, mongod: Mongod, primaryField: string): Reply {
  noteClient(request.body, connection);
  const { isWritablePrimary: _, ismaster: __, helloOk: ___, ok: ____, ...limits } = mongod.limits;
  return modelReply({
    ...standing(mongod, primaryField),
    ...(mongod.options.role === 'configsvr' ? { configsvr: 2 } : {}),
    ...limits,
    localTime: new Date(),
    connectionId: connection.id,
    ...(truthy(field(request.body, 'helloOk')) ? { helloOk: true } : {}),
  });
}

function standing({ replicaSet }: Mongod, primaryField: string): Document {
  if (!replicaSet.name) return { [primaryField]: true };
  return replicaSet.isPrimary ? primary(replicaSet, primaryField) : uninitiated(primaryField);
}

function primary(set: ReplicaSet, primaryField: string): Document {
  const opTime = set.now();
  const lastWriteDate = new Date();
  return {
    hosts: [set.self],
    setName: set.name,
    setVersion: set.config?.version,
    [primaryField]: true,
    secondary: false,
    primary: set.self,
    me: set.self,
    electionId: set.electionId(),
    lastWrite: { opTime, lastWriteDate, majorityOpTime: opTime, majorityWriteDate: lastWriteDate },
  };
}

function uninitiated(primaryField: string): Document {
  return {
    [primaryField]: false,
    secondary: false,
    info: 'Does not have a valid replica set config',
    isreplicaset: true,
  };
}
