import * as ops from '../../graph/index.js';
import { Graph, type Value } from '../../graph/index.js';
import { attentionScaleOf, type LlamaConfig } from '../../model/config/llama-config.js';
import { type Attend, capScores, type DecoderPass, emitHead, emitLayers } from './decoder-body.js';
import { layerInput } from './decoder-tensors.js';
import { InputMatrices } from './input-matrices.js';
import { layerContext } from './layer-context.js';

/**
 * Decode step: one token for each of several sequences, with their past in the KV cache.
 *
 * Inputs besides the weights: `ids` and `positions` int64 `[rows]` and `[rows, 1]`; `cosines` and `sines`
 * `[positions, headDim / 2]`; `mask` `[rows, 1, 1, capacity]`, 0 where the cache holds a token and a large
 * negative number elsewhere; per layer `keys` and `values` `[rows, numKvHeads, capacity, headDim]`, finite
 * everywhere; with windowed layers `windowMask`, `windowCosines` and `windowSines`. Outputs: those of {@link emitHead}, and `newRows` `[rows, numLayers * 2 * numKvHeads * headDim]`.
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
  const positions = graph.input('positions', 'int64', ['rows', 1]);
  const maskOf = (name: string) => graph.once(name, () => graph.input(name, 'float32', ['rows', 1, 1, 'capacity']));
  maskOf('mask');
  const cacheShape = ['rows', numKvHeads, 'capacity', headDim];
  return (layer, flatQueries, flatKeys, flatValues) => {
    const { isWindowed, tables } = layerContext(graph, config, layer);
    const mask = maskOf(isWindowed ? 'windowMask' : 'mask');
    // Each row is turned by its own position.
    const turn = (flat: Value, heads: number) => {
      const perHead = ops.reshape(graph, flat, ['rows', heads, 1, headDim]);
      return tables === null ? perHead : ops.rotary(graph, perHead, positions, ...tables);
    };
    const queries = ops.reshape(graph, turn(flatQueries, numHeads), ['rows', numKvHeads, group, headDim]);
    const key = ops.reshape(graph, turn(flatKeys, numKvHeads), ['rows', numKvHeads, 1, headDim]);
    const value = ops.reshape(graph, flatValues, ['rows', numKvHeads, 1, headDim]);
    const keys = graph.input(layerInput(layer, 'keys'), 'float32', cacheShape);
    const values = graph.input(layerInput(layer, 'values'), 'float32', cacheShape);
    const [weights, weight] = emitWeights(graph, config, mask, [keys, key], queries);
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
  config: LlamaConfig,
  mask: Value,
  [keys, key]: readonly [Value, Value],
  queries: Value,
): [Value, Value] {
  const alpha = attentionScaleOf(config);
  const scores = (those: Value) => capScores(graph, config, ops.matMul(graph, queries, those, { transB: true, alpha }));
  const past = ops.add(graph, scores(keys), mask);
  const now = scores(key);
  const weights = ops.softmax(graph, ops.concat(graph, [past, now], 3));
  const sizes = graph.once('capacity and one', () =>
    ops.concat(graph, [graph.size('capacity'), graph.integers([1])], 0),
  );
  const results = [past, now].map(({ type, shape }) => ({ type, shape }));
  return graph.append('Split', [weights, sizes], results, { attributes: { axis: 3 } }) as [Value, Value];
}
