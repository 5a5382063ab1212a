import type { LlamaConfig } from '../../model/config/llama-config.js';

/** Keys and values of consecutive tokens of a sequence: `[numLayers * 2 * numKvHeads, tokens, headDim]`. */
export interface KeyValues {
  readonly tokens: number;
  readonly data: Float32Array;
}

/** The tokens `from` to `from + tokens` of `source`, copied. */
export function sliceKeyValues(config: LlamaConfig, source: KeyValues, from: number, tokens: number): KeyValues {
  const { headDim } = config;
  const planes = config.numLayers * 2 * config.numKvHeads;
  const data = new Float32Array(planes * tokens * headDim);
  for (let plane = 0; plane < planes; plane += 1) {
    const start = (plane * source.tokens + from) * headDim;
    data.set(source.data.subarray(start, start + tokens * headDim), plane * tokens * headDim);
  }
  return { tokens, data };
}

/**
 * Writes the planes `plane` to `plane + count` of consecutive pieces into `target`, one plane after the other,
 * `stride` tokens apart: the keys of a layer are `numKvHeads` planes.
 */
export function joinPlanes(
  pieces: readonly KeyValues[],
  [plane, count]: readonly [number, number],
  headDim: number,
  target: Float32Array,
  stride: number,
): void {
  for (let index = 0; index < count; index += 1) {
    let offset = index * stride * headDim;
    for (const { tokens, data } of pieces) {
      const start = (plane + index) * tokens * headDim;
      target.set(data.subarray(start, start + tokens * headDim), offset);
      offset += tokens * headDim;
    }
  }
}

export function countTokens(pieces: readonly KeyValues[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}
