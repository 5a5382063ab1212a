import type { Graph } from './graph.js';
import { type Dim, GraphShapeError, type Value } from './value.js';

/**
 * Root-mean-square norm over the last dimension, `x / sqrt(mean(x^2) + epsilon) * scale`, and the
 * factor `1 / sqrt(...)` of each row, `[..., 1]`, that its gradient needs.
 * Source: Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019).
 */
export function rmsNorm(graph: Graph, value: Value, scale: Value, epsilon: number): { result: Value; inverse: Value } {
  if (value.shape.at(-1) !== scale.shape[0]) throw new GraphShapeError('RmsNorm', value.shape, scale.shape);
  const rows: Dim[] = [...value.shape.slice(0, -1), 1];
  const results = [value.shape, rows].map((shape) => ({ type: 'float32' as const, shape }));
  const [result, inverse] = graph.append('SimplifiedLayerNormalization', [value, scale], results, {
    attributes: { axis: -1, epsilon: { float: epsilon }, stash_type: 1 },
  });
  return { result: result as Value, inverse: inverse as Value };
}

/**
 * Rotary position embedding in the two-halves layout of the Hugging Face Llama.
 * Source: Su et al., "RoFormer" (2021).
 *
 * @param value `[batch, heads, tokens, headDim]`
 * @param positions int64 `[batch, tokens]`, or `[1]`: the position of the first token
 * @param cosines `[positions, headDim / 2]`, and sines likewise
 */
export function rotary(graph: Graph, value: Value, positions: Value, cosines: Value, sines: Value): Value {
  if (value.shape.length !== 4) throw new GraphShapeError('RotaryEmbedding', value.shape);
  return graph.node('RotaryEmbedding', [value, positions, cosines, sines], 'float32', value.shape, {
    domain: 'com.microsoft',
    attributes: { interleaved: 0 },
  });
}

/** `x * sigmoid(x)`, in one pass. Source: Elfwing et al., "Sigmoid-Weighted Linear Units" (2017). */
export function silu(graph: Graph, value: Value): Value {
  return graph.node('QuickGelu', [value], 'float32', value.shape, {
    domain: 'com.microsoft',
    attributes: { alpha: { float: 1 } },
  });
}
