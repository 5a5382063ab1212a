import type { Graph, Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import { numberAttribute, ofFirst, type Rules } from './rule.js';

/** Zeros in the shape that `like` has when the graph runs. */
function zerosLike(graph: Graph, like: Value): Value {
  const shape = graph.once(`shape of ${like.name}`, () => graph.node('Shape', [like], 'int64', [like.shape.length]));
  // Without its `value` attribute ConstantOfShape gives float zeros.
  return graph.once(`zeros like ${like.name}`, () => graph.node('ConstantOfShape', [shape], 'float32', like.shape));
}

/** Adds `updates` into zeros of the shape of `like` at `indices` along `axis`; equal indices add up. */
function scatterAdd(graph: Graph, like: Value, indices: Value, updates: Value, axis: number): Value {
  return graph.node('ScatterElements', [zerosLike(graph, like), indices, updates], 'float32', like.shape, {
    attributes: { axis, reduction: 'add' },
  });
}

const inverse = (order: readonly number[]) => order.map((_, axis) => order.indexOf(axis));

export const SHAPE_RULES: Rules = {
  Reshape: ofFirst(({ graph, gradient, inputs }) => ops.reshapeLike(graph, gradient, inputs[0] as Value)),
  Squeeze: ofFirst(({ graph, gradient, inputs }) => ops.reshapeLike(graph, gradient, inputs[0] as Value)),
  Transpose: ofFirst(({ graph, gradient, node }) =>
    ops.transpose(graph, gradient, inverse(node.attributes['perm'] as readonly number[])),
  ),
  Concat: (backward) => {
    const axis = numberAttribute(backward.node, 'axis');
    let start = 0;
    return backward.inputs.map((input, index) => {
      const size = input.shape[axis];
      if (typeof size !== 'number') throw new Error('Concat of sizes known only at run time has no gradient.');
      start += size;
      return backward.needs(index) ? ops.slice(backward.graph, backward.gradient, axis, start - size, start) : null;
    });
  },
  // Table rows: each occurrence of a row adds its gradient.
  Gather: ofFirst(({ graph, gradient, inputs }) => {
    const [table, indices] = inputs as readonly [Value, Value];
    const flat = ops.reshape(graph, gradient, ['rows', ...table.shape.slice(1)]);
    const rows = ops.reshape(graph, indices, ['rows', ...table.shape.slice(1).map(() => 1)]);
    const shape = graph.node('Shape', [flat], 'int64', [flat.shape.length]);
    const wide = graph.node('Expand', [rows, shape], 'int64', flat.shape);
    return scatterAdd(graph, table, wide, flat, 0);
  }),
  // Different rows: nothing is added to anything but zero.
  GatherND: ofFirst(({ graph, gradient, inputs }) => {
    const [table, indices] = inputs as readonly [Value, Value];
    return graph.node('ScatterND', [zerosLike(graph, table), indices, gradient], 'float32', table.shape);
  }),
  GatherElements: ofFirst(({ graph, gradient, inputs, node }) =>
    scatterAdd(graph, inputs[0] as Value, inputs[1] as Value, gradient, numberAttribute(node, 'axis')),
  ),
};
