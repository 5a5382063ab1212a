import { createHash } from 'node:crypto';

import { SplitMix64 } from '../plan/split-mix64.js';

const STEPS = 2 ** 31;

/**
 * Values of a new adapter's A, before its first step: uniform in ±1/sqrt(columns), drawn from the seed and the name of the
 * tensor.
 */
export function startValues(name: string, seed: number, size: number, columns: number): Float32Array {
  const bound = 1 / Math.sqrt(columns);
  const numbers = new SplitMix64(createHash('sha256').update(`${seed}/${name}`).digest().readBigUInt64LE());
  return Float32Array.from({ length: size }, () => (numbers.below(STEPS) / STEPS) * 2 * bound - bound);
}
