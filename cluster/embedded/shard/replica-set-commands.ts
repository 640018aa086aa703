/** The `replSet…` commands of a one-node set (src/mongo/db/repl/repl_set_commands.cpp, replication_coordinator_impl.cpp). */
import { type Document, Long, ObjectId } from 'bson';
import { notModelled } from '../not-modelled.ts';
import { CommandError, modelReply, type Reply } from '../router/command.ts';
import { decodePlain } from '../wire/bson.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';
import type { ReplicaSet } from './replica-set.ts';

/** By name. */
export const REPLICA_SET_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  replSetInitiate: initiate,
  replSetGetConfig: getConfig,
  replSetGetStatus: getStatus,
  replSetReconfig: reconfigure,
  replSetStepDown: () => {
    throw notModelled('replSetStepDown');
  },
};

async function initiate(command: Command, mongod: Mongod): Promise<Reply> {
  const set = started(mongod);
  if (set.config) throw new CommandError(23, 'already initialized');
  const given = decodePlain(command.request.body).replSetInitiate;
  await set.initiate(validConfig(given && typeof given === 'object' ? given : {}, mongod, 1));
  return modelReply();
}

function getConfig(_: Command, mongod: Mongod): Reply {
  return modelReply({ config: initiated(started(mongod)).config });
}

async function reconfigure(command: Command, mongod: Mongod): Promise<Reply> {
  const set = initiated(started(mongod));
  const given = decodePlain(command.request.body).replSetReconfig as Document;
  const current = Number(set.config?.version);
  const force = decodePlain(command.request.body).force === true;
  if (!force && !(Number(given?.version) > current)) {
    const problem = `New replica set configuration version must be greater than old, but ${given?.version} is not greater than ${current} for replica set ${set.name}`;
    throw new CommandError(103, problem);
  }
  const version = force ? Math.max(current + 10_000, Number(given.version ?? 0)) : Number(given.version);
  await set.reconfigure(validConfig(given, mongod, version));
  return modelReply();
}

/** Fills in what a server fills in. One member is all that is modelled. */
function validConfig(given: Document, mongod: Mongod, version: number): Document {
  const { options, replicaSet } = mongod;
  const id = given._id ?? replicaSet.name;
  if (id !== replicaSet.name) {
    throw new CommandError(
      93,
      `Attempting to initiate a replica set with name ${id}, but command line reports ${replicaSet.name}; rejecting`,
    );
  }
  const members: Document[] = given.members ?? [{ _id: 0, host: `${options.bindIp[0]}:${options.port}` }];
  const [member] = members;
  if (!member || members.length > 1) throw notModelled('a replica set of several members');
  if (!replicaSet.isSelf(String(member.host))) {
    throw new CommandError(
      93,
      `No host described in new configuration with {version: ${version}, term: 0} for replica set ${id} maps to this node`,
    );
  }
  return {
    _id: id,
    version,
    term: Math.max(replicaSet.term, 1),
    members: [memberDefaults(member)],
    ...(options.role === 'configsvr' ? { configsvr: true } : {}),
    protocolVersion: Long.ONE,
    writeConcernMajorityJournalDefault: given.writeConcernMajorityJournalDefault ?? true,
    settings: settingsDefaults(given.settings ?? {}, replicaSet),
  };
}

function memberDefaults(member: Document): Document {
  return {
    _id: member._id ?? 0,
    host: member.host,
    arbiterOnly: false,
    buildIndexes: member.buildIndexes ?? true,
    hidden: false,
    priority: member.priority ?? 1,
    tags: member.tags ?? {},
    secondaryDelaySecs: Long.ZERO,
    votes: 1,
  };
}

function settingsDefaults(given: Document, set: ReplicaSet): Document {
  return {
    chainingAllowed: given.chainingAllowed ?? true,
    heartbeatIntervalMillis: given.heartbeatIntervalMillis ?? 2000,
    heartbeatTimeoutSecs: given.heartbeatTimeoutSecs ?? 10,
    electionTimeoutMillis: given.electionTimeoutMillis ?? 10_000,
    catchUpTimeoutMillis: given.catchUpTimeoutMillis ?? -1,
    catchUpTakeoverDelayMillis: given.catchUpTakeoverDelayMillis ?? 30_000,
    getLastErrorModes: given.getLastErrorModes ?? {},
    getLastErrorDefaults: given.getLastErrorDefaults ?? { w: 1, wtimeout: 0 },
    replicaSetId: set.config?.settings?.replicaSetId ?? new ObjectId(),
  };
}

function getStatus(_: Command, mongod: Mongod): Reply {
  const set = member(started(mongod));
  const optime = set.now();
  const date = new Date();
  return modelReply({
    set: set.name,
    date,
    myState: 1,
    term: optime.t,
    syncSourceHost: '',
    syncSourceId: -1,
    ...(mongod.options.role === 'configsvr' ? { configsvr: true } : {}),
    heartbeatIntervalMillis: Long.fromNumber(2000),
    majorityVoteCount: 1,
    writeMajorityCount: 1,
    votingMembersCount: 1,
    writableVotingMembersCount: 1,
    optimes: {
      lastCommittedOpTime: optime,
      lastCommittedWallTime: date,
      readConcernMajorityOpTime: optime,
      appliedOpTime: optime,
      durableOpTime: optime,
      lastAppliedWallTime: date,
      lastDurableWallTime: date,
    },
    members: [memberStatus(set, date)],
  });
}

function memberStatus(set: ReplicaSet, date: Date): Document {
  return {
    _id: set.config?.members[0]._id,
    name: set.self,
    health: 1,
    state: 1,
    stateStr: 'PRIMARY',
    uptime: Math.floor(process.uptime()),
    optime: set.now(),
    optimeDate: date,
    syncSourceHost: '',
    syncSourceId: -1,
    infoMessage: '',
    configVersion: set.config?.version,
    configTerm: set.config?.term,
    self: true,
    lastHeartbeatMessage: '',
  };
}

function started({ replicaSet }: Mongod): ReplicaSet {
  if (!replicaSet.name) throw new CommandError(76, 'This node was not started with replication enabled.');
  return replicaSet;
}

function initiated(set: ReplicaSet): ReplicaSet {
  if (!set.config) throw new CommandError(94, 'no replset config has been received');
  return set;
}

function member(set: ReplicaSet): ReplicaSet {
  if (initiated(set).isPrimary) return set;
  throw new CommandError(93, 'Our replica set config is invalid or we are not a member of it');
}
