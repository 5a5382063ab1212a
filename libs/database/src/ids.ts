import { randomFillSync } from 'node:crypto';

import { v7 } from 'uuid';

/** Random bytes are drawn for many ids at once: a draw costs more than an id. */
const POOL = new Uint8Array(16 * 256);
let used = POOL.length;
let msecs = 0;
/** Counts the ids of one millisecond, from a random start; at most 32 bits. */
let seq = 0;

function randomBytes(): Uint8Array {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  return POOL.subarray(used, (used += 16));
}

/** A new id: UUIDv7 in lower case; ids of one process sort in the order they were made (RFC 9562). */
export function newId(): string {
  const now = Date.now();
  if (now > msecs) {
    const bytes = randomBytes();
    msecs = now;
    seq = ((bytes[0] as number) << 16) | ((bytes[1] as number) << 8) | (bytes[2] as number);
  } else {
    seq++;
  }
  return v7({ msecs, seq, rng: randomBytes });
}
