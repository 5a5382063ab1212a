import type { StoredWeights } from '../../blocks/index.js';
import { isBlockMatrix } from '../../blocks/index.js';
import * as ops from '../../graph/index.js';
import type { Graph, Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import { type Attend, type DecoderPass, emitHead, emitLayers } from '../graph/decoder-body.js';
import { decoderParts, layerInput, layOutPart } from '../graph/decoder-tensors.js';

import { ConstantGraph } from './constant-graph.js';
import { PackedMatrices } from './packed-matrices.js';

/**
 * One graph for prompts and for decode steps, so that the constants are in memory once: `time` tokens of each of `rows`
 * sequences, after the past in their caches. A prompt is one row of many tokens, a step is many rows of one.
 *
 * Inputs besides those of PackedMatrices: `positions` int64 `[rows, time]`; `cosines` and `sines`
 * `[positions, headDim / 2]`; `mask` `[rows, 1, 1, capacity]`, 0 where the cache holds a token and a large negative
 * number elsewhere; `causal` `[time, time]`, the same among the new tokens; per layer `keys` and `values`
 * `[rows, numKvHeads, capacity, headDim]`; `wanted` int64, the tokens (row by row) whose successors' probabilities are
 * asked for. Outputs: those of {@link emitHead}, and `newRows` `[rows, numLayers * 2, numKvHeads, time, headDim]`.
 */
export function buildPackedGraph(config: LlamaConfig, weights: StoredWeights): Graph {
  const graph = new ConstantGraph(vectorsOf(config, weights));
  const matrices = new PackedMatrices(graph, config, weights);
  const pass: DecoderPass = { graph, config, matrices, attend: attend(graph, config) };
  const { hidden, newRows } = emitLayers(pass);
  emitHead(pass, ops.gatherRows(graph, hidden, graph.input('wanted', 'int64', ['wanted'])));
  graph.output('newRows', ops.concat(graph, newRows, 1));
  return graph;
}

/** What the graphs have besides matrices, by the names of their inputs. */
function vectorsOf(config: LlamaConfig, weights: StoredWeights): Map<string, FloatTensor> {
  const floats = new Map<string, FloatTensor>();
  for (const [name, tensor] of weights)
    if (!isBlockMatrix(tensor) && tensor.shape.length === 1) floats.set(name, tensor);
  const parts = decoderParts(config).filter(({ sources }) => sources.every((name) => floats.has(name)));
  return new Map(parts.map((part) => [part.input, layOutPart(floats, part)]));
}

function attend(graph: Graph, config: LlamaConfig): Attend {
  const { numHeads, numKvHeads, headDim } = config;
  const positions = graph.input('positions', 'int64', ['rows', 'time']);
  const [cosines, sines] = ['cosines', 'sines'].map((name) =>
    graph.input(name, 'float32', ['positions', headDim / 2]),
  ) as [Value, Value];
  const mask = graph.input('mask', 'float32', ['rows', 1, 1, 'capacity']);
  const causal = graph.input('causal', 'float32', ['time', 'time']);
  const cacheShape = ['rows', numKvHeads, 'capacity', headDim];
  const grouped = numHeads === numKvHeads ? 'time' : `${numHeads / numKvHeads}*time`;
  const turned = (value: Value) => ops.rotary(graph, value, positions, cosines, sines);
  return (layer, flatQueries, flatKeys, flatValues) => {
    const perHead = turned(byHead(graph, flatQueries, numHeads, headDim));
    // Query heads that share a key head stand one after the other: one product serves them all.
    const queries = ops.reshape(graph, perHead, ['rows', numKvHeads, grouped, headDim]);
    const newKeys = turned(byHead(graph, flatKeys, numKvHeads, headDim));
    const newValues = byHead(graph, flatValues, numKvHeads, headDim);
    const keys = graph.input(layerInput(layer, 'keys'), 'float32', cacheShape);
    const values = graph.input(layerInput(layer, 'values'), 'float32', cacheShape);
    const scores = (those: Value) => ops.matMul(graph, queries, those, { transB: true, alpha: 1 / Math.sqrt(headDim) });
    const past = ops.add(graph, scores(keys), mask);
    const now = scores(newKeys);
    const square = ops.reshape(graph, now, ['rows', numHeads, 'time', 'time']);
    const seen = ops.reshape(graph, ops.add(graph, square, causal), ['rows', numKvHeads, grouped, 'time']);
    const weights = ops.softmax(graph, ops.concat(graph, [past, seen], 3));
    const [ofPast, ofNew] = splitPastAndNew(graph, weights, past, seen);
    const mixed = ops.add(graph, ops.matMul(graph, ofPast, values), ops.matMul(graph, ofNew, newValues));
    const apart = ops.reshape(graph, mixed, ['rows', numHeads, 'time', headDim]);
    const planes = (fresh: Value) => ops.reshape(graph, fresh, ['rows', 1, numKvHeads, 'time', headDim]);
    return {
      mixed: ops.reshape(graph, ops.transpose(graph, apart, [0, 2, 1, 3]), ['tokens', numHeads * headDim]),
      newKeys: planes(newKeys),
      newValues: planes(newValues),
    };
  };
}

function splitPastAndNew(graph: Graph, weights: Value, past: Value, fresh: Value): [Value, Value] {
  const sizes = graph.once('capacity and time', () =>
    ops.concat(graph, [graph.size('capacity'), graph.size('time')], 0),
  );
  const results = [past, fresh].map(({ type, shape }) => ({ type, shape }));
  return graph.append('Split', [weights, sizes], results, { attributes: { axis: 3 } }) as [Value, Value];
}

/** `[tokens, heads * headDim]` to `[rows, heads, time, headDim]`. */
function byHead(graph: Graph, value: Value, heads: number, headDim: number): Value {
  return ops.transpose(graph, ops.reshape(graph, value, ['rows', 'time', heads, headDim]), [0, 2, 1, 3]);
}
