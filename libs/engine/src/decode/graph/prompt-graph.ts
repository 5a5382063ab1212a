import * as ops from '../../graph/index.js';
import { Graph, type Value } from '../../graph/index.js';
import { attentionScaleOf, type LlamaConfig } from '../../model/config/llama-config.js';
import { type Attend, capScores, type DecoderPass, emitHead, emitLayers } from './decoder-body.js';
import { layerInput } from './decoder-tensors.js';
import { InputMatrices } from './input-matrices.js';
import { layerContext } from './layer-context.js';

/**
 * Prefill: many tokens of one sequence at once, after a past that may be empty.
 *
 * Inputs besides the weights: `ids` int64 `[tokens]`; `positions` int64 `[1, tokens]`; `wanted` int64 `[wanted]`, the
 * tokens whose successors' probabilities are asked for; `cosines` and `sines` `[positions, headDim / 2]`; `mask`
 * `[tokens, context]`; per layer `keys` and `values` of the past `[1, numKvHeads, past, headDim]`; `padding`
 * `[1, numKvHeads, padding, headDim]`, zeros; with windowed layers `windowMask`, `windowCosines` and `windowSines`. `context` = past + tokens + padding. Outputs: those of
 * {@link emitHead}, and `newRows` `[numLayers * 2, numKvHeads, tokens, headDim]`.
 *
 * Every token stands at its own position among the keys, and the padding makes `context` a multiple of 64, so
 * that the vectorised sums of a token always pair the same numbers: cutting a prompt into other pieces, or taking
 * its beginning from a cache, gives the same bits with one thread. (With more, the kernel deals out a product's
 * columns by its number of rows, and sums in other blocks: differences of 2e-6 were seen.) As in the step graph,
 * feed at least two tokens and two wanted.
 */
export function buildPromptGraph(config: LlamaConfig): Graph {
  const graph = new Graph();
  const ids = graph.input('ids', 'int64', ['tokens']);
  const wanted = graph.input('wanted', 'int64', ['wanted']);
  const matrices = new InputMatrices(graph, config, ids);
  const pass: DecoderPass = { graph, config, matrices, attend: attendToPast(graph, config) };
  const { hidden, newRows } = emitLayers(pass);
  emitHead(pass, ops.gatherRows(graph, hidden, wanted));
  graph.output('newRows', ops.concat(graph, newRows, 0));
  return graph;
}

function attendToPast(graph: Graph, config: LlamaConfig): Attend {
  const { numHeads, numKvHeads, headDim } = config;
  const positions = graph.input('positions', 'int64', [1, 'tokens']);
  const maskOf = (name: string) => graph.once(name, () => graph.input(name, 'float32', ['tokens', 'context']));
  maskOf('mask');
  const padding = graph.input('padding', 'float32', [1, numKvHeads, 'padding', headDim]);
  const joined = (name: string, fresh: Value) => {
    const past = graph.input(name, 'float32', [1, numKvHeads, 'past', headDim]);
    const shape = [1, numKvHeads, 'context', headDim];
    return graph.node('Concat', [past, fresh, padding], 'float32', shape, { attributes: { axis: 2 } });
  };
  return (layer, flatQueries, flatKeys, flatValues) => {
    const { isWindowed, tables } = layerContext(graph, config, layer);
    const turn = (value: Value) => (tables === null ? value : ops.rotary(graph, value, positions, ...tables));
    const mask = maskOf(isWindowed ? 'windowMask' : 'mask');
    const queries = turn(byHead(graph, flatQueries, numHeads, headDim));
    const newKeys = turn(byHead(graph, flatKeys, numKvHeads, headDim));
    const newValues = byHead(graph, flatValues, numKvHeads, headDim);
    const keys = joined(layerInput(layer, 'keys'), newKeys);
    const values = joined(layerInput(layer, 'values'), newValues);
    return { mixed: emitMix(graph, config, mask, [queries, keys, values]), newKeys, newValues };
  };
}

/** Softmax-weighted values, `[tokens, numHeads * headDim]`. */
function emitMix(
  graph: Graph,
  config: LlamaConfig,
  mask: Value,
  [queries, keys, values]: readonly [Value, Value, Value],
): Value {
  const { numHeads, numKvHeads, headDim } = config;
  // Query heads that share a key head stand one after the other: one product serves them all.
  const grouped = `${numHeads / numKvHeads}*tokens`;
  const together = ops.reshape(graph, queries, [1, numKvHeads, grouped, headDim]);
  const scores = ops.matMul(graph, together, keys, { transB: true, alpha: attentionScaleOf(config) });
  const perHead = ops.reshape(graph, capScores(graph, config, scores), [1, numHeads, 'tokens', 'context']);
  const weights = ops.softmax(graph, ops.add(graph, perHead, mask));
  const mixed = ops.matMul(graph, ops.reshape(graph, weights, [1, numKvHeads, grouped, 'context']), values);
  const apart = ops.reshape(graph, mixed, [1, numHeads, 'tokens', headDim]);
  return ops.reshape(graph, ops.transpose(graph, apart, [0, 2, 1, 3]), ['tokens', numHeads * headDim]);
}

/** `[tokens, heads * headDim]` to `[1, heads, tokens, headDim]`. */
function byHead(graph: Graph, value: Value, heads: number, headDim: number): Value {
  return ops.transpose(graph, ops.reshape(graph, value, [1, 'tokens', heads, headDim]), [0, 2, 1, 3]);
}
