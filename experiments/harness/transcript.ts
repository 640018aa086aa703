/** What was really sent and what came back, by the driver's command monitoring. */
import { BSON, type Document } from 'bson';
import {
  type CommandFailedEvent,
  type CommandStartedEvent,
  type CommandSucceededEvent,
  type MongoClient,
  MongoServerError,
} from 'mongodb';
import { MARK } from './normalize.ts';
import type { AnsweredBy } from './record.ts';

/** One command and its reply as they were, before normalize.ts makes them reproducible. */
export interface RawExchange {
  /** `router`, or a shard's name. */
  readonly to: string;
  readonly database: string;
  readonly command: Document;
  /** The whole reply, an error reply too; null as long as none came. */
  reply: Document | null;
  /** The driver's words when no reply came. */
  failure?: string;
  /** The reply was cut down to what the step is about. */
  readonly isExcerpt?: boolean;
  answeredBy: AnsweredBy;
}

/** Collects the exchanges of one piece of work at a time. */
export class Transcript {
  readonly #modelled: boolean;
  readonly #underWay = new Map<number, RawExchange>();
  #exchanges: RawExchange[] | undefined;

  /** @param modelled the router says of itself that it is a model, so replies carry the mark of who answered */
  constructor(modelled: boolean) {
    this.#modelled = modelled;
  }

  /** Records what `client`, made with `monitorCommands: true`, sends from now on. */
  watch(client: MongoClient, to: string): void {
    client.on('commandStarted', (event) => this.#started(to, event));
    client.on('commandSucceeded', (event) => this.#succeeded(event));
    client.on('commandFailed', (event) => this.#failed(event));
  }

  /** Opens a list that fills with the exchanges from now on, until {@link close}. */
  open(): readonly RawExchange[] {
    this.#exchanges = [];
    return this.#exchanges;
  }

  close(): void {
    this.#exchanges = undefined;
  }

  #started(to: string, event: CommandStartedEvent): void {
    if (!this.#exchanges) return;
    const command = asSent(event.command);
    const exchange: RawExchange = { to, database: event.databaseName, command, reply: null, answeredBy: 'nobody' };
    this.#exchanges.push(exchange);
    this.#underWay.set(event.requestId, exchange);
  }

  #succeeded({ requestId, reply }: CommandSucceededEvent): void {
    this.#answered(requestId, reply as Document);
  }

  #failed({ requestId, failure }: CommandFailedEvent): void {
    const exchange = this.#underWay.get(requestId);
    if (failure instanceof MongoServerError) this.#answered(requestId, failure.errorResponse);
    else if (exchange) exchange.failure = failure.message;
    this.#underWay.delete(requestId);
  }

  #answered(requestId: number, reply: Document): void {
    const exchange = this.#underWay.get(requestId);
    if (exchange) Object.assign(exchange, { reply, answeredBy: this.#modelled ? marked(reply) : 'server' });
    this.#underWay.delete(requestId);
  }
}

/** The values that went over the wire, with their types: an `undefined` is a null, say, and an int is no double. */
function asSent(command: Document): Document {
  return BSON.deserialize(BSON.serialize(command, { ignoreUndefined: false }), { promoteValues: false });
}

/** An unmarked reply of a modelled cluster proves nothing. */
function marked(reply: Document): AnsweredBy {
  return reply[MARK]?.answeredBy === 'engine' ? 'engine' : 'model';
}
