/** A dense float32 tensor in row-major order; `data.length` is the product of `shape`. */
export interface FloatTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Tensors by their name in the Hugging Face layout, for example `model.layers.0.self_attn.q_proj.weight`. */
export type Weights = ReadonlyMap<string, FloatTensor>;
