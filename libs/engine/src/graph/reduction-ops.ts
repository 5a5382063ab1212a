import { exponential } from './elementwise-ops.js';
import type { Graph } from './graph.js';
import { type Dim, type Value } from './value.js';

function reduce(graph: Graph, op: string, value: Value, axes: readonly number[], keepDims: boolean): Value {
  const shape: Dim[] = [];
  value.shape.forEach((dim, axis) => {
    if (!axes.includes(axis)) shape.push(dim);
    else if (keepDims) shape.push(1);
  });
  return graph.node(op, [value, graph.integers(axes)], 'float32', shape, {
    attributes: { keepdims: Number(keepDims) },
  });
}

/** The sum over `axes`, each kept as a dimension of 1 or dropped. */
export function sum(graph: Graph, value: Value, axes: readonly number[], keepDims = false): Value {
  return axes.length === 0 ? value : reduce(graph, 'ReduceSum', value, axes, keepDims);
}

/** The mean over `axes`. */
export function mean(graph: Graph, value: Value, axes: readonly number[], keepDims = false): Value {
  return reduce(graph, 'ReduceMean', value, axes, keepDims);
}

/** The sum of squares of all elements, a scalar. */
export function sumOfSquares(graph: Graph, value: Value): Value {
  const axes = value.shape.map((_, axis) => axis);
  return reduce(graph, 'ReduceSumSquare', value, axes, false);
}

/** The largest element along the last dimension, which is dropped. */
export function largest(graph: Graph, value: Value): Value {
  return reduce(graph, 'ReduceMax', value, [value.shape.length - 1], false);
}

/** Over the last dimension: exp(x) / sum of exp(x). */
export function softmax(graph: Graph, value: Value): Value {
  return graph.node('Softmax', [value], 'float32', value.shape, { attributes: { axis: -1 } });
}

/** Over the last dimension: x - log of the sum of exp(x). */
export function logSoftmax(graph: Graph, value: Value): Value {
  return graph.node('LogSoftmax', [value], 'float32', value.shape, { attributes: { axis: -1 } });
}

/** exp of the result of {@link logSoftmax}, made once however often it is asked for. */
export function probabilities(graph: Graph, logProbabilities: Value): Value {
  return graph.once(`exp ${logProbabilities.name}`, () => exponential(graph, logProbabilities));
}
