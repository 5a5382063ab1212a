import type { Graph, Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import type { ParameterLayout } from './parameter-layout.js';

/** The trained tensors by name, each a part of the flat vector. */
export function splitParameters(graph: Graph, layout: ParameterLayout, flat: Value): Map<string, Value> {
  return new Map(
    layout.slots.map(({ name, shape, offset, size }) => [
      name,
      ops.reshape(graph, ops.slice(graph, flat, 0, offset, offset + size), shape),
    ]),
  );
}
