import { add, type Dim, type Graph, type Value } from '../../graph/index.js';

/** `value` plus the bias, if there is one, cut along its columns into pieces of the given widths. */
export function biasedColumns(
  graph: Graph,
  value: Value,
  widths: readonly number[],
  bias: Value | null,
): readonly Value[] {
  const whole = bias === null ? value : add(graph, value, bias);
  if (widths.length === 1) return [whole];
  const results = widths.map((width) => ({ type: 'float32' as const, shape: [...value.shape.slice(0, -1), width] }));
  return graph.append('Split', [whole, graph.integers(widths)], results, { attributes: { axis: -1 } });
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
