import { createHash } from 'node:crypto';

/** Bytes of a digest that become a number from 0 to below 1. */
const HASH_BYTES = 6;
const HASHES = 2 ** (8 * HASH_BYTES);

/**
 * Whether a monitor judges a call: by a hash of both, so that each process draws alike, and other monitors draw other calls.
 *
 * @param sampleRate share of the calls that are drawn, 0 to 1
 */
export function isDrawn(monitorId: string, callId: string, sampleRate: number): boolean {
  if (sampleRate >= 1) return true;
  const hash = createHash('sha256').update(`${monitorId}\n${callId}`).digest();
  return hash.readUIntBE(0, HASH_BYTES) / HASHES < sampleRate;
}
