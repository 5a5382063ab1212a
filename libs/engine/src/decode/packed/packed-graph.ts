import type { StoredWeights } from '../../blocks/index.js';
import { isBlockMatrix } from '../../blocks/index.js';
import type { Constant, Dim, Graph, Value } from '../../graph/index.js';
import * as ops from '../../graph/index.js';
import { attentionScaleOf, type LlamaConfig } from '../../model/config/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import { type Attend, capScores, type DecoderPass, emitHead, emitLayers } from '../graph/decoder-body.js';
import { decoderParts, layerInput, layOutPart } from '../graph/decoder-tensors.js';
import { layerContext } from '../graph/layer-context.js';
import { ConstantGraph } from './constant-graph.js';
import { PackedMatrices } from './packed-matrices.js';

/**
 * One graph for prompts and for decode steps, so that the constants are in memory once: `time` tokens of each of `rows`
 * sequences, after the past in their caches. A prompt is one row of many tokens, a step is many rows of one.
 *
 * A token of a prompt gets the same numbers, bit by bit, however much of the prompt was read before: sums over tokens run
 * from the first to the last. So a prompt's past is fed as it is, without empty slots, and its values as
 * `promptValues`, which the new ones are put behind. A step has whole caches, `values`, too large to be copied, and adds
 * the new token's share to theirs.
 *
 * Inputs besides those of PackedMatrices: `positions` int64 `[rows, time]`; `cosines` and `sines`
 * `[positions, headDim / 2]`; `mask` `[rows, 1, 1, capacity]`, 0 where the cache holds a token and a large negative
 * number elsewhere; `causal` `[time, time]`, the same among the new tokens; per layer `keys`
 * `[rows, numKvHeads, capacity, headDim]`, and `values` and `promptValues` likewise, one of which has no slots; `wanted`
 * int64, the tokens (row by row) whose successors' probabilities are asked for; with windowed layers `windowCosines`,
 * `windowSines`, `windowMask` `[rows, 1, 1 or time, capacity]` and `windowCausal`. Outputs: those of {@link emitHead}, and
 * `newRows` `[rows, numLayers * 2 * numKvHeads, time, headDim]`.
 *
 * @param onConstant told of each constant when it is made
 */
export function buildPackedGraph(
  config: LlamaConfig,
  weights: StoredWeights,
  onConstant: (constant: Constant) => void,
): Graph {
  const graph = new ConstantGraph(vectorsOf(config, weights), onConstant);
  const matrices = new PackedMatrices(graph, config, weights);
  const pass: DecoderPass = { graph, config, matrices, attend: attend(graph, config) };
  const { hidden, newRows } = emitLayers(pass);
  emitHead(pass, ops.gatherRows(graph, hidden, graph.input('wanted', 'int64', ['wanted'])));
  graph.output('newRows', ops.concat(graph, newRows, 1));
  return graph;
}

/** The inputs of the graph besides matrices, by name. */
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
  const cached = (layer: number, part: string, slots: Dim) =>
    graph.input(layerInput(layer, part), 'float32', ['rows', numKvHeads, slots, headDim]);
  const grouped = times(numHeads / numKvHeads, 'time').join('+');
  const masks = declareMasks(graph, config);
  return (layer, flatQueries, flatKeys, flatValues) => {
    const { isWindowed, tables } = layerContext(graph, config, layer);
    const turned = (value: Value) => (tables === null ? value : ops.rotary(graph, value, positions, ...tables));
    const perHead = turned(byHead(graph, flatQueries, numHeads, headDim));
    // Query heads that share a key head stand one after the other: one product serves them all.
    const queries = ops.reshape(graph, perHead, ['rows', numKvHeads, grouped, headDim]);
    const newKeys = turned(byHead(graph, flatKeys, numKvHeads, headDim));
    const newValues = byHead(graph, flatValues, numKvHeads, headDim);
    const keys = cached(layer, 'keys', 'capacity');
    const values = cached(layer, 'values', 'cached');
    const promptValues = cached(layer, 'promptValues', 'read');
    const alpha = attentionScaleOf(config);
    const scores = (those: Value) =>
      capScores(graph, config, ops.matMul(graph, queries, those, { transB: true, alpha }));
    const seen = ops.add(graph, ops.concat(graph, [scores(keys), scores(newKeys)], 3), masks(isWindowed));
    const rest = ops.concat(graph, [promptValues, newValues], 2);
    const [ofCached, ofRest] = splitWeights(graph, ops.softmax(graph, seen), [values, rest]);
    const mixed = ops.add(graph, ops.matMul(graph, ofCached, values), ops.matMul(graph, ofRest, rest));
    const apart = ops.reshape(graph, mixed, ['rows', numHeads, 'time', headDim]);
    return {
      mixed: ops.reshape(graph, ops.transpose(graph, apart, [0, 2, 1, 3]), ['tokens', numHeads * headDim]),
      newKeys,
      newValues,
    };
  };
}

/**
 * What each new token sees of the past and of the new ones, `[rows, 1, heads of a key head * time, capacity + time]`,
 * made once a run. What is seen of the past through a window depends on the token, too: where nothing is hidden but
 * empty slots, one row of `windowMask` stands for all tokens.
 */
function declareMasks(graph: Graph, { numHeads, numKvHeads }: LlamaConfig): (isWindowed: boolean) => Value {
  const group = numHeads / numKvHeads;
  const make = (pastName: string, pastTime: Dim, nowName: string) =>
    graph.once(`whole ${pastName}`, () => {
      const past = graph.input(pastName, 'float32', ['rows', 1, pastTime, 'capacity']);
      const now = graph.input(nowName, 'float32', ['time', 'time']);
      const both = [
        ops.expand(graph, past, ['rows', 1, 'time', 'capacity']),
        ops.expand(graph, now, ['rows', 1, 'time', 'time']),
      ];
      const mask = ops.concat(graph, both, 3);
      return ops.concat(graph, times(group, mask), 2);
    });
  const plain = make('mask', 1, 'causal');
  return (isWindowed) => (isWindowed ? make('windowMask', 'maskTime', 'windowCausal') : plain);
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

/** Cuts the weights of all slots into those of each of these values. */
function splitWeights(graph: Graph, weights: Value, of: readonly [Value, Value]): [Value, Value] {
  const slots = ({ shape }: Value) => shape[2] as Dim;
  const sizes = graph.once('slots of values', () =>
    ops.concat(
      graph,
      of.map((value) => graph.node('Shape', [value], 'int64', [1], { attributes: { start: 2, end: 3 } })),
      0,
    ),
  );
  const results = of.map((value) => ({ type: weights.type, shape: [...weights.shape.slice(0, 3), slots(value)] }));
  return graph.append('Split', [weights, sizes], results, { attributes: { axis: 3 } }) as [Value, Value];
}

/** `[tokens, heads * headDim]` to `[rows, heads, time, headDim]`. */
function byHead(graph: Graph, value: Value, heads: number, headDim: number): Value {
  return ops.transpose(graph, ops.reshape(graph, value, ['rows', 'time', heads, headDim]), [0, 2, 1, 3]);
}
