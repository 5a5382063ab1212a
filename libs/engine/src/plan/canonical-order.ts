import { createHash } from 'node:crypto';

import type { TokenSequence } from './trajectory-sequences.js';

/** SHA-256, hex, of a sequence: tokens, mask, log-probabilities and the reward of its trajectory. */
export function sequenceHash({ ids, mask, old }: TokenSequence, reward: number): string {
  return createHash('sha256')
    .update(bytesOf(Float64Array.of(ids.length, reward)))
    .update(bytesOf(Float64Array.from(ids)))
    .update(Uint8Array.from(mask))
    .update(bytesOf(Float64Array.from(old)))
    .digest('hex');
}

/** SHA-256, hex, of a set of hashes: their order does not matter. */
export function setHash(hashes: readonly string[]): string {
  return createHash('sha256').update(hashes.toSorted().join()).digest('hex');
}

/** Compares by the first key that differs; keys are hashes. */
export const byKeys =
  <T>(...keys: ((item: T) => string)[]) =>
  (a: T, b: T): number => {
    for (const key of keys) {
      const [left, right] = [key(a), key(b)];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  };

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer);
}
