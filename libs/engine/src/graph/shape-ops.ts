import type { Graph } from './graph.js';
import { type Dim, GraphShapeError, type Value } from './value.js';

/** The same elements in another shape. At most one dimension of `shape` may be a name that is no input's. */
export function reshape(graph: Graph, value: Value, shape: readonly Dim[]): Value {
  return reshapeTo(graph, value, shapeOf(graph, shape), shape);
}

/** `value` repeated along its dimensions of size 1, and along new ones before them, until it has this shape. */
export function expand(graph: Graph, value: Value, shape: readonly Dim[]): Value {
  return graph.node('Expand', [value, shapeOf(graph, shape)], value.type, shape);
}

/** As an int64 vector; a name that is no input's becomes -1. */
function shapeOf(graph: Graph, shape: readonly Dim[]): Value {
  return graph.once(`shape ${shape.join()}`, () => {
    const known = (dim: Dim) => typeof dim === 'number' || graph.inputs.some((input) => input.shape.includes(dim));
    const size = (dim: Dim) => (known(dim) ? sizeOf(graph, dim) : graph.integers([-1]));
    return concat(graph, shape.map(size), 0);
  });
}

function sizeOf(graph: Graph, dim: Dim): Value {
  return typeof dim === 'number' ? graph.integers([dim]) : graph.size(dim);
}

/** The elements of `value` in the shape that `like` has when the graph runs. */
export function reshapeLike(graph: Graph, value: Value, like: Value): Value {
  const target = graph.once(`shape of ${like.name}`, () => graph.node('Shape', [like], 'int64', [like.shape.length]));
  return reshapeTo(graph, value, target, like.shape);
}

function reshapeTo(graph: Graph, value: Value, target: Value, shape: readonly Dim[]): Value {
  return graph.node('Reshape', [value, target], value.type, shape);
}

/** Dimension `i` of the result is dimension `order[i]` of `value`. */
export function transpose(graph: Graph, value: Value, order: readonly number[]): Value {
  if (order.length !== value.shape.length) throw new GraphShapeError('Transpose', value.shape, order);
  const shape = order.map((axis) => value.shape[axis] as Dim);
  return graph.node('Transpose', [value], value.type, shape, { attributes: { perm: order } });
}

/** Values side by side along `axis`. */
export function concat(graph: Graph, values: readonly Value[], axis: number): Value {
  const [first] = values;
  if (first === undefined) throw new GraphShapeError('Concat');
  if (values.length === 1) return first;
  const sizes = values.map((value) => value.shape[axis] as Dim);
  const size = sizes.every((dim) => typeof dim === 'number')
    ? sizes.reduce((sum, dim) => sum + dim, 0)
    : sizes.join('+');
  const shape = first.shape.map((dim, index) => (index === axis ? size : dim));
  return graph.node('Concat', values, first.type, shape, { attributes: { axis } });
}

/** The elements `start` to `end` (excluded) of `value` along `axis`. */
export function slice(graph: Graph, value: Value, axis: number, start: number, end: number): Value {
  const bounds = [[start], [end], [axis]].map((numbers) => graph.integers(numbers));
  const shape = value.shape.map((dim, index) => (index === axis ? end - start : dim));
  return graph.node('Slice', [value, ...bounds], value.type, shape);
}

/** Rows `indices` of `table`: `[rows, ...rest]` and `[...some]` give `[...some, ...rest]`. */
export function gatherRows(graph: Graph, table: Value, indices: Value): Value {
  return graph.node('Gather', [table, indices], table.type, [...indices.shape, ...table.shape.slice(1)], {
    attributes: { axis: 0 },
  });
}

/**
 * Rows `indices` of `table`, no row twice: `[rows, columns]` and `[some]` give `[some, columns]`. The gradient of
 * different rows is written side by side; that of {@link gatherRows} adds up one element after the other.
 */
export function gatherDifferentRows(graph: Graph, table: Value, indices: Value): Value {
  const tuples = graph.node('Unsqueeze', [indices, graph.integers([1])], 'int64', [...indices.shape, 1]);
  return graph.node('GatherND', [table, tuples], table.type, [...indices.shape, ...table.shape.slice(1)]);
}

/** Element `indices[n]` of row n: `[rows, columns]` and `[rows]` give `[rows]`. */
export function pickPerRow(graph: Graph, table: Value, indices: Value): Value {
  const column = graph.node('Unsqueeze', [indices, graph.integers([1])], 'int64', [...indices.shape, 1]);
  const picked = graph.node('GatherElements', [table, column], table.type, column.shape, { attributes: { axis: 1 } });
  return graph.node('Squeeze', [picked, graph.integers([1])], table.type, indices.shape);
}
