import type { LlamaConfig } from '../model/config/llama-config.js';
import type { FloatTensor } from '../tensor.js';
import { type ProjectionName, PROJECTIONS } from '../train/trained-parameters.js';
import { adaptedModules, type LoraAdapter } from './lora-adapter.js';

/** An adapter with small numbers that differ by position; `targets` default to all projections. */
export function randomAdapter(
  config: LlamaConfig,
  { rank = 4, alpha = 8, targets = PROJECTIONS as readonly ProjectionName[], seed = 1 } = {},
): LoraAdapter {
  const tensors = new Map<string, FloatTensor>();
  let state = seed;
  const tensor = (shape: number[]): FloatTensor => {
    const length = shape.reduce((product, size) => product * size, 1);
    // Numerical Recipes' linear congruential generator.
    const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
    return { shape, data: Float32Array.from({ length }, () => next() / 5) };
  };
  for (const module of adaptedModules(config, targets)) {
    tensors.set(module.a, tensor([rank, module.in]));
    tensors.set(module.b, tensor([module.out, rank]));
  }
  return { baseModel: 'hone-tiny', rank, alpha, targets, tensors };
}
