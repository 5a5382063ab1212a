export * from './decoder-ops.js';
export * from './elementwise-ops.js';
export { encodeGraph, type ExternalPlace } from './encode-graph.js';
export { Graph } from './graph.js';
export * from './matrix-ops.js';
export * from './reduction-ops.js';
export * from './shape-ops.js';
export type { Attribute, Constant, DataType, Dim, GraphNode, Value } from './value.js';
export { GraphShapeError } from './value.js';
