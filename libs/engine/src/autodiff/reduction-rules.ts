import type { Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import { type Backward, numberAttribute, ofFirst, type Rules } from './rule.js';

/** A reduced gradient with its reduced dimensions back as 1, ready to be stretched. */
function keepingDims({ graph, node, gradient, inputs }: Backward, axes: readonly number[]): Value {
  if (numberAttribute(node, 'keepdims') === 1) return gradient;
  const positions = graph.integers(axes);
  const shape = (inputs[0] as Value).shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
  return graph.node('Unsqueeze', [gradient, positions], 'float32', shape);
}

function stretched(backward: Backward): Value {
  const { graph, inputs } = backward;
  const value = inputs[0] as Value;
  const shape = graph.once(`shape of ${value.name}`, () => graph.node('Shape', [value], 'int64', [value.shape.length]));
  const narrow = keepingDims(backward, axesOf(backward));
  return graph.node('Expand', [narrow, shape], 'float32', value.shape);
}

function axesOf({ graph, inputs }: Backward): number[] {
  const constant = graph.constants.find(({ value }) => value === inputs[1]);
  if (constant === undefined) throw new Error('Only a reduction over constant axes has a gradient.');
  return Array.from(constant.data, Number);
}

export const REDUCTION_RULES: Rules = {
  ReduceSum: ofFirst(stretched),
  ReduceMean: ofFirst((backward) => {
    const sizes = axesOf(backward).map((axis) => (backward.inputs[0] as Value).shape[axis]);
    if (!sizes.every((size) => typeof size === 'number')) throw new Error('A mean over an open size has no gradient.');
    const count = sizes.reduce((product, size) => product * size, 1);
    return ops.multiply(backward.graph, stretched(backward), 1 / count);
  }),
  // dx = y (dy - sum(dy y))
  Softmax: ofFirst(({ graph, gradient, output }) => {
    const product = ops.multiply(graph, gradient, output);
    const total = ops.sum(graph, product, [output.shape.length - 1], true);
    return ops.subtract(graph, product, ops.multiply(graph, output, total));
  }),
  // dx = dy - exp(y) sum(dy)
  LogSoftmax: ofFirst(({ graph, gradient, output }) => {
    const total = ops.sum(graph, gradient, [output.shape.length - 1], true);
    return ops.subtract(graph, gradient, ops.multiply(graph, ops.probabilities(graph, output), total));
  }),
};
