import { add, divide, hyperbolicTangent, multiply, sigmoid } from './elementwise-ops.js';
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

/**
 * GELU in its tanh form, `x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`, where (1 + tanh(y)) / 2 is the sigmoid of
 * 2 y. Source: Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016).
 */
export function gelu(graph: Graph, value: Value): Value {
  const factor = 2 * Math.sqrt(2 / Math.PI);
  const square = multiply(graph, value, value);
  const inner = multiply(graph, value, add(graph, multiply(graph, square, 0.044715 * factor), graph.constant(factor)));
  return multiply(graph, value, sigmoid(graph, inner));
}

/** `cap tanh(value / cap)`: values stay between -cap and cap. Source: Gemma Team, "Gemma 2" (2024). */
export function softCap(graph: Graph, value: Value, cap: number): Value {
  return multiply(graph, hyperbolicTangent(graph, divide(graph, value, cap)), cap);
}
