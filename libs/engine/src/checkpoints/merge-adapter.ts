import type { LlamaConfig } from '../model/config/llama-config.js';
import type { FloatTensor, Weights } from '../tensor.js';
import { moduleScaleOf } from '../train/lora-variant.js';
import { adaptedModules, type LoraAdapter } from './lora-adapter.js';

/**
 * The weights of base model and adapter together: W + scale·B·A for the adapted matrices. All other
 * tensors are those of the base model, shared, not copied.
 */
export function mergeAdapter(weights: Weights, config: LlamaConfig, adapter: LoraAdapter): Weights {
  const merged = new Map(weights);
  for (const { path, weight, a, b } of adaptedModules(config, adapter.targets)) {
    const { scale } = moduleScaleOf(adapter, path);
    merged.set(weight, addProduct(get(weights, weight), get(adapter.tensors, b), get(adapter.tensors, a), scale));
  }
  return merged;
}

/** `w + scale·b·a`, row by row; each number is rounded to float32 once. */
function addProduct(w: FloatTensor, b: FloatTensor, a: FloatTensor, scale: number): FloatTensor {
  const [rows, columns] = w.shape as readonly [number, number];
  const rank = a.shape[0]!;
  const data = new Float32Array(w.data.length);
  const sum = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const from = row * columns;
    for (let column = 0; column < columns; column++) sum[column] = w.data[from + column]!;
    addRows(sum, a.data, b.data.subarray(row * rank, (row + 1) * rank), scale);
    data.set(sum, from);
  }
  return { shape: w.shape, data };
}

/** `sum += scale·factors·a`. Four rows of `a` at a time: the sums are the slow memory, this took half the time. */
function addRows(sum: Float64Array, a: Float32Array, factors: Float32Array, scale: number): void {
  const columns = sum.length;
  const inFours = factors.length - (factors.length % 4);
  for (let k = 0; k < inFours; k += 4) {
    const [f0, f1] = [scale * factors[k]!, scale * factors[k + 1]!];
    const [f2, f3] = [scale * factors[k + 2]!, scale * factors[k + 3]!];
    const at0 = k * columns;
    const [at1, at2, at3] = [at0 + columns, at0 + 2 * columns, at0 + 3 * columns];
    for (let c = 0; c < columns; c++) {
      sum[c]! += f0 * a[at0 + c]! + f1 * a[at1 + c]! + f2 * a[at2 + c]! + f3 * a[at3 + c]!;
    }
  }
  for (let k = inFours; k < factors.length; k++) {
    const factor = scale * factors[k]!;
    for (let c = 0; c < columns; c++) sum[c]! += factor * a[k * columns + c]!;
  }
}

function get(tensors: Weights, name: string): FloatTensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new Error(`There is no tensor ${name}.`);
  return tensor;
}
