import { createHash } from 'node:crypto';

import { SplitMix64 } from '../plan/split-mix64.js';
import type { ParameterLayout } from '../train/parameter-layout.js';

const STEPS = 2 ** 31;

/**
 * Adapters before their first step: B is 0, so the model still equals the base. A is uniform in ±1/sqrt(columns), drawn
 * from the seed and the name of the module.
 *
 * @param layout of the adapters' tensors
 */
export function startLora(layout: ParameterLayout, seed: number): Float32Array {
  const flat = new Float32Array(layout.size);
  for (const { name, shape, offset, size } of layout.slots) {
    if (!name.endsWith('lora_A.weight')) continue;
    const bound = 1 / Math.sqrt(shape[1] as number);
    const numbers = new SplitMix64(createHash('sha256').update(`${seed}/${name}`).digest().readBigUInt64LE());
    for (let at = 0; at < size; at += 1) flat[offset + at] = (numbers.below(STEPS) / STEPS) * 2 * bound - bound;
  }
  return flat;
}
