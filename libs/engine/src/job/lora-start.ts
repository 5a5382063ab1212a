import { startValues } from '../checkpoints/lora-start-values.js';
import type { ParameterLayout } from '../train/parameter-layout.js';

/**
 * Adapters before their first step: B is 0, so the model still equals the base; A is random.
 *
 * @param layout of the adapters' tensors
 */
export function startLora(layout: ParameterLayout, seed: number): Float32Array {
  const flat = new Float32Array(layout.size);
  for (const { name, shape, offset, size } of layout.slots) {
    if (name.endsWith('lora_A.weight')) flat.set(startValues(name, seed, size, shape[1] as number), offset);
  }
  return flat;
}
