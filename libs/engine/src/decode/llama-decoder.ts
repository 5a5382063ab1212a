import { type InferenceSession, Tensor } from 'onnxruntime-node';

import { encodeGraph } from '../graph/index.js';
import { type LlamaConfig, windowOf } from '../model/config/llama-config.js';
import { type Feeds, joinFeeds } from '../runtime/join-feeds.js';
import { openSession } from '../runtime/session.js';
import type { CacheRows } from './cache/cache-rows.js';
import type { KeyValues } from './cache/key-values.js';
import { causalMask } from './causal-mask.js';
import { type DecoderResults, decoderResults } from './decoder-results.js';
import { type FedPrompt, feedPrompt, pastFeeds } from './fed-prompt.js';
import type { DecoderTensors } from './graph/decoder-tensors.js';
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
    const fed = feedPrompt(this.config, this.contextLength, past, ids, wanted);
    const outputs = await this.promptSession.run(joinFeeds(weights, this.rotary, this.promptFeeds(past, fed)));
    return fed.take(decoderResults(outputs));
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
  ): Promise<DecoderResults> {
    const rows = cache.fedCount;
    const padded = (numbers: readonly number[]) =>
      BigInt64Array.from({ length: rows }, (_, row) => BigInt(numbers[row] ?? 0));
    const outputs = await this.stepSession.run(
      joinFeeds(weights, this.rotary, cache.feeds(), {
        ids: new Tensor('int64', padded(ids), [rows]),
        positions: new Tensor('int64', padded(positions), [rows, 1]),
      }),
    );
    return decoderResults(outputs);
  }

  async close(): Promise<void> {
    await Promise.all([this.stepSession.release(), this.promptSession.release()]);
  }

  private promptFeeds(past: readonly KeyValues[], { ids, wanted, positions, before }: FedPrompt): Feeds {
    const { numKvHeads, headDim } = this.config;
    const length = before + ids.length;
    const context = Math.ceil(length / CONTEXT_MULTIPLE) * CONTEXT_MULTIPLE;
    const padding = context - length;
    const mask = (window?: number) =>
      new Tensor('float32', causalMask(ids.length, context, before, window), [ids.length, context]);
    const window = windowOf(this.config);
    return joinFeeds(pastFeeds(this.config, past, ['keys', 'values']), {
      ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]),
      wanted: new Tensor('int64', BigInt64Array.from(wanted, BigInt), [wanted.length]),
      positions,
      mask: mask(),
      ...(window !== null && { windowMask: mask(window) }),
      padding: new Tensor('float32', new Float32Array(numKvHeads * padding * headDim), [
        1,
        numKvHeads,
        padding,
        headDim,
      ]),
    });
  }
}
