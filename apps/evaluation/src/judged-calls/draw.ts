import { createHash } from 'node:crypto';

/** Bytes of a digest that become a number from 0 to below 1. */
const HASH_BYTES = 6;
const HASHES = 2 ** (8 * HASH_BYTES);

/** A number from 0 to below 1 by a hash of a call and who draws it: each process finds the same, and other drawers another one. */
export function drawOf(drawer: string, callId: string): number {
  const hash = createHash('sha256').update(`${drawer}\n${callId}`).digest();
  return hash.readUIntBE(0, HASH_BYTES) / HASHES;
}

/** Whether a call is among those that are drawn. @param chance 0 to 1 */
export const isDrawn = (drawer: string, callId: string, chance: number): boolean =>
  chance >= 1 || drawOf(drawer, callId) < chance;
