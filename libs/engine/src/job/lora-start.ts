import { startValues } from '../checkpoints/lora-start-values.js';
import { type LoraScaling, moduleScaleOf } from '../train/lora-variant.js';
import type { ParameterLayout } from '../train/parameter-layout.js';

const A = '.lora_A.weight';

/**
 * Adapters before their first step: B is 0, so the model still equals the base; A is random, but for rows beyond the
 * rank of its module.
 *
 * @param layout of the adapters' tensors
 */
export function startLora(layout: ParameterLayout, seed: number, lora: LoraScaling): Float32Array {
  const flat = new Float32Array(layout.size);
  for (const { name, shape, offset, size } of layout.slots) {
    if (!name.endsWith(A)) continue;
    const columns = shape[1] as number;
    const { rank } = moduleScaleOf(lora, name.slice(0, -A.length));
    flat.set(startValues(name, seed, Math.min(rank * columns, size), columns), offset);
  }
  return flat;
}
