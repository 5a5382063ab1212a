import type { Dim, Graph, Value } from '../../graph/index.js';

/** `value` cut along its last dimension into pieces of the given sizes. */
export function splitColumns(graph: Graph, value: Value, sizes: readonly number[]): readonly Value[] {
  const leading = value.shape.slice(0, -1);
  const results = sizes.map((size) => ({ type: 'float32' as const, shape: [...leading, size] }));
  return graph.append('Split', [value, graph.integers(sizes)], results, { attributes: { axis: -1 } });
}

/**
 * `sum = value + other` and the root-mean-square norm of that sum, in one pass over the data.
 *
 * @param value `[tokens, width]`, `other` likewise, `scale` `[width]`
 */
export function addAndNorm(
  graph: Graph,
  value: Value,
  other: Value,
  scale: Value,
  epsilon: number,
): { sum: Value; normed: Value } {
  // The second and third result are for training only; the names of optional outputs must be there all the same.
  const results = Array.from({ length: 4 }, () => ({ type: 'float32' as const, shape: value.shape as Dim[] }));
  const outputs = graph.append('SkipSimplifiedLayerNormalization', [value, other, scale], results, {
    domain: 'com.microsoft',
    attributes: { epsilon: { float: epsilon } },
  });
  return { sum: outputs[3] as Value, normed: outputs[0] as Value };
}
