/** Timestamps that only go up, as a cluster's logical time does. */
import { Timestamp } from 'bson';

let seconds = 0;
let increment = 0;

/** The next point of the cluster's time: the second it is, counted up within it. */
export function nextTimestamp(): Timestamp {
  const now = Math.floor(Date.now() / 1000);
  if (now > seconds) {
    seconds = now;
    increment = 0;
  }
  increment++;
  return new Timestamp({ t: seconds, i: increment });
}
