import type { FloatTensor, Weights } from '../tensor.js';
import { moduleScaleOf, storedRankOf } from '../train/lora-variant.js';
import { type LoraAdapter, matrixOf } from './lora-adapter.js';

/** Tensors of an adapter as files have them, each at its own rank, filled up with zeros to the largest one. */
export function filledUp(
  adapter: Omit<LoraAdapter, 'tensors'>,
  tensors: Map<string, FloatTensor>,
): Map<string, FloatTensor> {
  const rank = storedRankOf(adapter);
  return adapter.variant ? mapped(tensors, (_path, tensor, isA) => resized(tensor, rank, isA)) : tensors;
}

/** The tensors of an adapter, each at its module's own rank: the reverse of {@link filledUp}. */
export function cutToRank(adapter: LoraAdapter): Weights {
  if (!adapter.variant) return adapter.tensors;
  return mapped(adapter.tensors, (path, tensor, isA) => resized(tensor, moduleScaleOf(adapter, path).rank, isA));
}

/**
 * An adapter with the same effect, whose modules all have one rank and the scale `alpha / rank`: B is multiplied. The
 * scale is the largest of a module, so that no number grows: a finite B stays finite.
 */
export function withOneScale({ variant, ...adapter }: LoraAdapter): LoraAdapter {
  if (!variant) return adapter;
  const rank = storedRankOf({ ...adapter, variant });
  // Scales below the smallest number are 0, by which nothing can be divided.
  const scale = Math.max(Number.MIN_VALUE, ...Array.from(variant.modules.values(), (module) => module.scale));
  const tensors = mapped(adapter.tensors, (path, tensor, isA) => {
    const factor = moduleScaleOf({ ...adapter, variant }, path).scale / scale;
    return isA || factor === 1 ? tensor : { shape: tensor.shape, data: tensor.data.map((value) => value * factor) };
  });
  return { ...adapter, rank, alpha: scale * rank, tensors };
}

function mapped(
  tensors: Weights,
  change: (path: string, tensor: FloatTensor, isA: boolean) => FloatTensor,
): Map<string, FloatTensor> {
  return new Map(
    Array.from(tensors, ([name, tensor]) => {
      const { path, isA } = matrixOf(name);
      return [name, change(path, tensor, isA)];
    }),
  );
}

/** A is `[rank, in]`, B `[out, rank]`. What is added is zero. */
function resized(tensor: FloatTensor, rank: number, isA: boolean): FloatTensor {
  const [rows, columns] = tensor.shape as readonly [number, number];
  if ((isA ? rows : columns) === rank) return tensor;
  const shape: readonly [number, number] = isA ? [rank, columns] : [rows, rank];
  const data = new Float32Array(shape[0] * shape[1]);
  const width = Math.min(columns, shape[1]);
  for (let row = 0; row < Math.min(rows, shape[0]); row += 1) {
    data.set(tensor.data.subarray(row * columns, row * columns + width), row * shape[1]);
  }
  return { shape, data };
}
