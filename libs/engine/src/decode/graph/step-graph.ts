import * as ops from '../../graph/index.js';
import { Graph, type Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/llama-config.js';

import { type Attend, type DecoderPass, emitHead, emitLayers } from './decoder-body.js';
import { layerInput } from './decoder-tensors.js';
import { InputMatrices } from './input-matrices.js';

/**
 * Decode step: one token for each of several sequences, with their past in the KV cache.
 *
 * Inputs besides the weights: `ids` and `positions` int64 `[rows]` and `[rows, 1]`; `cosines` and `sines`
 * `[positions, headDim / 2]`; `mask` `[rows, 1, 1, capacity]`, 0 where the cache holds a token and a large
 * negative number elsewhere; per layer `keys` and `values` `[rows, numKvHeads, capacity, headDim]`, finite
 * everywhere. Outputs: those of {@link emitHead}, and `newRows` `[rows, numLayers * 2 * numKvHeads * headDim]`.
 *
 * A row's result has the same bits whatever the other rows, their number (from 2 on) and the cache's capacity are:
 * masked slots weigh exactly 0, and the new token's score stands apart, at the end. A product with a single row
 * runs another kernel that sums in another order, so feed at least two rows.
 *
 * Scores over the cache and over the new token are computed apart: joining the new key to the cache, as
 * GroupQueryAttention does inside, copies the cache at each step (64 rows of 128 tokens: 6.8 ms against 4.9).
 */
export function buildStepGraph(config: LlamaConfig): Graph {
  const graph = new Graph();
  const ids = graph.input('ids', 'int64', ['rows']);
  const matrices = new InputMatrices(graph, config, ids);
  const pass: DecoderPass = { graph, config, matrices, attend: attendToCache(graph, config) };
  const { hidden, newRows } = emitLayers(pass);
  emitHead(pass, hidden);
  graph.output('newRows', ops.concat(graph, newRows, 1));
  return graph;
}

function attendToCache(graph: Graph, config: LlamaConfig): Attend {
  const { numHeads, numKvHeads, headDim } = config;
  const group = numHeads / numKvHeads;
  const width = numKvHeads * headDim;
  const turn = emitRotation(graph, config);
  const mask = graph.input('mask', 'float32', ['rows', 1, 1, 'capacity']);
  const cacheShape = ['rows', numKvHeads, 'capacity', headDim];
  return (layer, flatQueries, flatKeys, flatValues) => {
    const queries = ops.reshape(graph, turn(flatQueries, numHeads), ['rows', numKvHeads, group, headDim]);
    const key = ops.reshape(graph, turn(flatKeys, numKvHeads), ['rows', numKvHeads, 1, headDim]);
    const value = ops.reshape(graph, flatValues, ['rows', numKvHeads, 1, headDim]);
    const keys = graph.input(layerInput(layer, 'keys'), 'float32', cacheShape);
    const values = graph.input(layerInput(layer, 'values'), 'float32', cacheShape);
    const [weights, weight] = emitWeights(graph, mask, [keys, key], queries, headDim);
    const mixed = ops.add(graph, ops.matMul(graph, weights, values), ops.multiply(graph, weight, value));
    return {
      mixed: ops.reshape(graph, mixed, ['rows', numHeads * headDim]),
      newKeys: ops.reshape(graph, key, ['rows', width]),
      newValues: flatValues,
    };
  };
}

/** How much each cached token and the new one weigh: softmax over both together, cut apart again. */
function emitWeights(
  graph: Graph,
  mask: Value,
  [keys, key]: readonly [Value, Value],
  queries: Value,
  headDim: number,
): [Value, Value] {
  const alpha = 1 / Math.sqrt(headDim);
  const past = ops.add(graph, ops.matMul(graph, queries, keys, { transB: true, alpha }), mask);
  const now = ops.matMul(graph, queries, key, { transB: true, alpha });
  const weights = ops.softmax(graph, ops.concat(graph, [past, now], 3));
  const sizes = graph.once('capacity and one', () =>
    ops.concat(graph, [graph.size('capacity'), graph.integers([1])], 0),
  );
  const results = [past, now].map(({ type, shape }) => ({ type, shape }));
  return graph.append('Split', [weights, sizes], results, { attributes: { axis: 3 } }) as [Value, Value];
}

/** Turns `[rows, heads * headDim]` by each row's own position; the result has one more dimension, of 1. */
function emitRotation(graph: Graph, { headDim }: LlamaConfig): (value: Value, heads: number) => Value {
  const positions = graph.input('positions', 'int64', ['rows', 1]);
  const [cosines, sines] = ['cosines', 'sines'].map((name) =>
    graph.input(name, 'float32', ['positions', headDim / 2]),
  ) as [Value, Value];
  return (value, heads) => {
    const byHead = ops.reshape(graph, value, ['rows', heads, 1, headDim]);
    return ops.rotary(graph, byHead, positions, cosines, sines);
  };
}
