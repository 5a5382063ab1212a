import type { LoraAdapter } from '../../checkpoints/lora-adapter.js';
import type { LlamaConfig } from '../../model/llama-config.js';
import { projectionPath, type ProjectionName } from '../../train/trained-parameters.js';

/** An adapter as the packed graph takes it. Where its matrices lie changes, with what they hold: see AdapterStack. */
export interface PackedAdapter {
  /** Projections that it changes, in every layer. */
  readonly targets: readonly ProjectionName[];
  readonly rank: number;
  /** `alpha / rank`. */
  readonly scale: number;
  /** Per projection path `[rank, in]`. */
  readonly a: Map<string, Float32Array>;
  /** Per projection path `[rank, out]`: transposed, so that adapters can stand below each other. */
  readonly b: Map<string, Float32Array>;
}

/** Takes the memory of the matrices A over, so that it can be handed to another thread. */
export function packAdapter({ numLayers }: LlamaConfig, { rank, alpha, targets, tensors }: LoraAdapter): PackedAdapter {
  const a = new Map<string, Float32Array>();
  const b = new Map<string, Float32Array>();
  for (let layer = 0; layer < numLayers; layer += 1) {
    for (const target of targets) {
      const path = projectionPath(layer, target);
      const dataOf = (matrix: string): Float32Array => {
        const tensor = tensors.get(`${path}.${matrix}.weight`);
        if (tensor === undefined) throw new Error(`The adapter holds no ${path}.${matrix}.`);
        return tensor.data;
      };
      a.set(path, inOwnBuffer(dataOf('lora_A')));
      b.set(path, transpose(dataOf('lora_B'), rank));
    }
  }
  return { targets, rank, scale: alpha / rank, a, b };
}

/** Bytes that it takes in memory. */
export const adapterBytes = ({ a, b }: PackedAdapter): number =>
  [...a.values(), ...b.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);

/** A view of part of a buffer cannot be handed over without the rest of it. */
function inOwnBuffer(data: Float32Array): Float32Array {
  return data.byteLength === data.buffer.byteLength ? data : data.slice();
}

/** `[rows, columns]` to `[columns, rows]`. */
function transpose(data: Float32Array, columns: number): Float32Array {
  const rows = data.length / columns;
  const result = new Float32Array(data.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) result[column * rows + row] = data[row * columns + column]!;
  }
  return result;
}
