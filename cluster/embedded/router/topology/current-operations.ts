/** `$currentOp` through a router: the operations of every shard (src/mongo/db/pipeline/document_source_current_op.cpp). */
import { notModelled } from '../../not-modelled.ts';
import {
  decode,
  documentOf,
  elements,
  field,
  number,
  type RawElement,
  type RawValue,
  rawValue,
  truthy,
} from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import type { Router } from '../command.ts';

/** @throws CommandError not modelled for the router's own operations, or as a shard words it for options that there are not */
export async function currentOperations(operand: RawValue, _db: string, { catalog }: Router): Promise<Buffer[]> {
  if (truthy(field(operand.bytes, 'localOps'))) throw notModelled('$currentOp of the router itself');
  const found = catalog.shards().map(async ({ id }) => {
    const peer = catalog.peer(id);
    const operations = await findAll(peer, 'admin', {
      aggregate: 1,
      pipeline: [{ $currentOp: decode(operand.bytes) }],
      cursor: {},
    });
    return operations.map((operation) => asOf(id, peer.address, operation));
  });
  return (await Promise.all(found)).flat();
}

/** The engine knows its own port as little as its shard's name; the client it names is the router. */
function asOf(shard: string, address: string, operation: Buffer): Buffer {
  const told = elements(operation).map((element): RawElement => {
    switch (element.name) {
      case 'host':
        return { name: 'host', ...rawValue(address) };
      case 'opid':
        return { name: 'opid', ...rawValue(`${shard}:${number(element)}`) };
      case 'client':
        return { ...element, name: 'client_s' };
      default:
        return element;
    }
  });
  return documentOf([{ name: 'shard', ...rawValue(shard) }, ...told]);
}
