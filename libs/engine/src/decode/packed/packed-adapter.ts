import type { LoraAdapter } from '../../checkpoints/lora-adapter.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { type ProjectionName, projectionPath } from '../../train/trained-parameters.js';

/** Columns that one pass transposes: neighbours in a row share a cache line. */
const COLUMNS_TOGETHER = 4;

/** An adapter in the form of the packed graph. An AdapterStack may move its matrices to other memory. */
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

/** Converts an adapter in place for the packed graph; the caller must not use the original any more. */
export function packAdapter({ numLayers }: LlamaConfig, { rank, alpha, targets, tensors }: LoraAdapter): PackedAdapter {
  const a = new Map<string, Float32Array>();
  const b = new Map<string, Float32Array>();
  const scratch = new Float32Array(Math.max(...Array.from(tensors.values(), ({ data }) => data.length)));
  for (let layer = 0; layer < numLayers; layer += 1) {
    for (const target of targets) {
      const path = projectionPath(layer, target);
      const dataOf = (matrix: string): Float32Array => {
        const tensor = tensors.get(`${path}.${matrix}.weight`);
        if (tensor === undefined) throw new Error(`The adapter holds no ${path}.${matrix}.`);
        return tensor.data;
      };
      a.set(path, dataOf('lora_A'));
      b.set(path, transpose(dataOf('lora_B'), rank, scratch));
    }
  }
  return { targets, rank, scale: alpha / rank, a, b };
}

/** Copies its matrices into memory of their own. The memory they were in is not changed. */
export function moveToOwnMemory(adapter: PackedAdapter): void {
  const memory = new OwnMemory(adapterBytes(adapter) / Float32Array.BYTES_PER_ELEMENT);
  for (const matrices of [adapter.a, adapter.b]) {
    for (const [path, data] of matrices) matrices.set(path, memory.copy(data));
  }
}

/** Bytes that it takes in memory. */
export const adapterBytes = ({ a, b }: PackedAdapter): number =>
  [...a.values(), ...b.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);

/**
 * Copies all matrices of an adapter into one buffer, which returns to the system as a whole. Hundreds of small buffers
 * would fragment the memory between objects that stay.
 */
class OwnMemory {
  private readonly floats: Float32Array;
  private used = 0;

  constructor(length: number) {
    this.floats = new Float32Array(length);
  }

  copy(data: Float32Array): Float32Array {
    const place = this.take(data.length);
    place.set(data);
    return place;
  }

  private take(length: number): Float32Array {
    this.used += length;
    return this.floats.subarray(this.used - length, this.used);
  }
}

/**
 * `[rows, columns]` to `[columns, rows]`, in place.
 *
 * @param scratch at least as long
 */
function transpose(data: Float32Array, columns: number, scratch: Float32Array): Float32Array {
  scratch.set(data);
  const rows = data.length / columns;
  let column = 0;
  for (; column + COLUMNS_TOGETHER <= columns; column += COLUMNS_TOGETHER) {
    let at = column * rows;
    for (let from = column; from < data.length; from += columns, at += 1) {
      data[at] = scratch[from]!;
      data[at + rows] = scratch[from + 1]!;
      data[at + 2 * rows] = scratch[from + 2]!;
      data[at + 3 * rows] = scratch[from + 3]!;
    }
  }
  for (let at = column * rows; column < columns; column += 1) {
    for (let from = column; from < data.length; from += columns, at += 1) data[at] = scratch[from]!;
  }
  return data;
}
