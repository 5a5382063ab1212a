import type { LlamaConfig } from '../model/llama-config.js';
import type { FloatTensor, Weights } from '../tensor.js';

import { adaptedModules, type LoraAdapter } from './lora-adapter.js';

/**
 * The weights of base model and adapter together: W + (alpha / rank)·B·A for the adapted matrices. All other
 * tensors are those of the base model, shared, not copied.
 */
export function mergeAdapter(weights: Weights, config: LlamaConfig, adapter: LoraAdapter): Weights {
  const merged = new Map(weights);
  const scale = adapter.alpha / adapter.rank;
  for (const { weight, a, b } of adaptedModules(config, adapter.targets)) {
    merged.set(weight, addProduct(get(weights, weight), get(adapter.tensors, b), get(adapter.tensors, a), scale));
  }
  return merged;
}

/** `w + scale·b·a`, row by row: each row of `a` is read in one go, and the sum is rounded to float32 once. */
function addProduct(w: FloatTensor, b: FloatTensor, a: FloatTensor, scale: number): FloatTensor {
  const [rows, columns] = w.shape as readonly [number, number];
  const rank = a.shape[0]!;
  const data = new Float32Array(w.data.length);
  const sum = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    for (let column = 0; column < columns; column++) sum[column] = w.data[start + column]!;
    for (let k = 0; k < rank; k++) {
      const factor = scale * b.data[row * rank + k]!;
      const from = k * columns;
      for (let column = 0; column < columns; column++) sum[column]! += factor * a.data[from + column]!;
    }
    data.set(sum, start);
  }
  return { shape: w.shape, data };
}

function get(tensors: Weights, name: string): FloatTensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new Error(`There is no tensor ${name}.`);
  return tensor;
}
