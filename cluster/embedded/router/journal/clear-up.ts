/** What must be over and gone before anything that was cut short is brought to its end. */
import { type Peer, PeerError } from '../../wire/client.ts';
import { ask } from '../ask.ts';

/**
 * Waits until a server has ended the writes that it has begun, and has it drop temporary collections: a router that was killed may have
 * left some.
 * @throws CommandError when the server is none of the embedded distribution
 */
export async function clearUp(server: Peer): Promise<void> {
  try {
    await ask(server, 'admin', { shardlabClearUp: 1 });
  } catch (error) {
    if (!(error instanceof PeerError)) throw error; // one that is gone writes nothing, and drops them when it is back
  }
}
