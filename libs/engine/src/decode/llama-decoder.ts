import { type InferenceSession, Tensor } from 'onnxruntime-node';

import { encodeGraph } from '../graph/index.js';
import { type LlamaConfig, windowOf } from '../model/llama-config.js';
import { type Feeds, joinFeeds } from '../runtime/join-feeds.js';
import { openSession } from '../runtime/session.js';

import type { CacheRows } from './cache/cache-rows.js';
import { countTokens, joinPlanes, type KeyValues } from './cache/key-values.js';
import { causalMask } from './causal-mask.js';
import { type DecoderTensors, layerInput } from './graph/decoder-tensors.js';
import { buildPromptGraph } from './graph/prompt-graph.js';
import { buildStepGraph } from './graph/step-graph.js';
import type { Predictions } from './model-runner.js';
import { rotaryFeeds } from './rotary-feeds.js';

const CONTEXT_MULTIPLE = 64;

/** Runs the decoder graphs of one model shape with the weights of any checkpoint. */
export class LlamaDecoder {
  private readonly rotary: Feeds;

  private constructor(
    readonly config: LlamaConfig,
    /** Longest sequence, in tokens. */
    readonly contextLength: number,
    private readonly stepSession: InferenceSession,
    private readonly promptSession: InferenceSession,
  ) {
    this.rotary = rotaryFeeds(config, contextLength);
  }

  /** @param threads how many threads one operator may use */
  static async open(config: LlamaConfig, contextLength: number, threads: number): Promise<LlamaDecoder> {
    const open = (graph: Parameters<typeof encodeGraph>[0]) => openSession(encodeGraph(graph), threads);
    const sessions = await Promise.all([open(buildStepGraph(config)), open(buildPromptGraph(config))]);
    return new LlamaDecoder(config, contextLength, ...sessions);
  }

  /**
   * Reads tokens of one sequence after its past.
   *
   * @param past keys and values of the tokens before, in order
   * @param wanted indices into `ids`: predictions of what follows these, in this order
   * @returns predictions, and the keys and values of `ids`
   */
  async readPrompt(
    weights: DecoderTensors,
    past: readonly KeyValues[],
    ids: readonly number[],
    wanted: readonly number[],
  ): Promise<Predictions & { keyValues: KeyValues }> {
    // A product with a single row runs another kernel, which sums in another order: never feed one alone.
    const fedIds = ids.length === 1 ? [...ids, 0] : ids;
    const fedWanted = wanted.length === 1 ? [...wanted, ...wanted] : wanted;
    const feeds = this.promptFeeds(past, fedIds, fedWanted);
    const outputs = await this.promptSession.run(joinFeeds(weights, this.rotary, feeds));
    const rows = outputs['newRows']?.data as Float32Array;
    const fed = { tokens: fedIds.length, data: rows };
    const keyValues = fedIds === ids ? fed : this.firstToken(fed);
    return { ...predictions(outputs), keyValues };
  }

  /**
   * Reads one token of each row. The cache stays as it is until the caller appends the new rows to it.
   *
   * @param ids per row of `cache`
   * @param positions per row: how many tokens the row holds
   */
  async step(
    weights: DecoderTensors,
    cache: CacheRows,
    ids: readonly number[],
    positions: readonly number[],
  ): Promise<Predictions & { newRows: Float32Array }> {
    const rows = cache.fedCount;
    const padded = (numbers: readonly number[]) =>
      BigInt64Array.from({ length: rows }, (_, row) => BigInt(numbers[row] ?? 0));
    const outputs = await this.stepSession.run(
      joinFeeds(weights, this.rotary, cache.feeds(), {
        ids: new Tensor('int64', padded(ids), [rows]),
        positions: new Tensor('int64', padded(positions), [rows, 1]),
      }),
    );
    return { ...predictions(outputs), newRows: outputs['newRows']?.data as Float32Array };
  }

  async close(): Promise<void> {
    await Promise.all([this.stepSession.release(), this.promptSession.release()]);
  }

  private promptFeeds(past: readonly KeyValues[], ids: readonly number[], wanted: readonly number[]): Feeds {
    const { numLayers, numKvHeads, headDim } = this.config;
    const before = countTokens(past);
    const length = before + ids.length;
    const context = Math.ceil(length / CONTEXT_MULTIPLE) * CONTEXT_MULTIPLE;
    const padding = context - length;
    const heads = (data: Float32Array, tokens: number) => new Tensor('float32', data, [1, numKvHeads, tokens, headDim]);
    const mask = (window?: number) =>
      new Tensor('float32', causalMask(ids.length, context, before, window), [ids.length, context]);
    const window = windowOf(this.config);
    const feeds: Record<string, Tensor> = {
      ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]),
      wanted: new Tensor('int64', BigInt64Array.from(wanted, BigInt), [wanted.length]),
      positions: new Tensor('int64', this.positions(before, ids.length), [1, ids.length]),
      mask: mask(),
      ...(window !== null && { windowMask: mask(window) }),
      padding: heads(new Float32Array(numKvHeads * padding * headDim), padding),
    };
    for (let plane = 0; plane < numLayers * 2; plane += 1) {
      const data = new Float32Array(numKvHeads * before * headDim);
      joinPlanes(past, [plane * numKvHeads, numKvHeads], headDim, data, before);
      feeds[layerInput(plane >> 1, plane % 2 === 0 ? 'keys' : 'values')] = heads(data, before);
    }
    return feeds;
  }

  /** The padding token of a single one may stand beyond the context: it takes the last position there is. */
  private positions(before: number, tokens: number): BigInt64Array {
    return BigInt64Array.from({ length: tokens }, (_, index) =>
      BigInt(Math.min(before + index, this.contextLength - 1)),
    );
  }

  private firstToken({ data, tokens }: KeyValues): KeyValues {
    const { headDim } = this.config;
    const planes = data.length / tokens / headDim;
    const first = new Float32Array(planes * headDim);
    for (let plane = 0; plane < planes; plane += 1) {
      const start = plane * tokens * headDim;
      first.set(data.subarray(start, start + headDim), plane * headDim);
    }
    return { tokens: 1, data: first };
  }
}

function predictions(outputs: InferenceSession.OnnxValueMapType): Predictions {
  const [logProbabilities, logPartition] = ['logProbabilities', 'logPartition'].map(
    (name) => outputs[name]?.data as Float32Array,
  ) as [Float32Array, Float32Array];
  return { logProbabilities, logPartition };
}
