import { type InferenceSession, Tensor } from 'onnxruntime-node';

import type { WeightForm } from '../../blocks/index.js';
import { type LlamaConfig, windowOf } from '../../model/config/llama-config.js';
import { type EmbeddingPlace, EmbeddingRows } from '../../model/weights/embedding-rows.js';
import { type Feeds, joinFeeds } from '../../runtime/join-feeds.js';
import { openSession } from '../../runtime/session.js';
import type { CacheRows } from '../cache/cache-rows.js';
import type { KeyValues } from '../cache/key-values.js';
import { causalMask } from '../causal-mask.js';
import { type DecoderResults, decoderResults } from '../decoder-results.js';
import { type FedPrompt, feedPrompt, pastFeeds } from '../fed-prompt.js';
import { layerInput } from '../graph/decoder-tensors.js';
import type { ModelRunner, Predictions } from '../model-runner.js';
import { rotaryFeeds } from '../rotary-feeds.js';
import { AdapterStack } from './adapter-stack.js';
import type { PackedAdapter } from './packed-adapter.js';
import { graphFileIn, removePackedFiles } from './packed-files.js';

interface Pass {
  readonly kind: 'prompt' | 'step';
  readonly ids: readonly number[];
  /** The adapter of each of `ids`; null: the base model. */
  readonly adapters: readonly (PackedAdapter | null)[];
  /** int64 `[rows, time]`. */
  readonly positions: Tensor;
  /** Keys and values of the tokens before, and what the new ones see of them. */
  readonly past: Feeds;
  readonly wanted: readonly number[];
}

/** A packed graph that was written, and where its model's embedding stays. */
export interface PackedModelFiles {
  /** Of the graph: to be opened once. */
  readonly folder: string;
  readonly embedding: EmbeddingPlace;
}

export interface PackedDecoderOptions {
  /** Longest sequence, in tokens. */
  readonly contextLength: number;
  /** Form in which the weights of the model are held. */
  readonly form: WeightForm;
  /** Threads that one operator may use. */
  readonly threads: number;
}

/**
 * Waking a thread for each operator that several share made a step of one sequence of a model with 135 million parameters
 * a third longer. Longer waits were no faster, and take the core from others for longer.
 */
const SPIN_US = 50;
/** For how many steps an unused adapter stays in the stack. */
const KEPT_STEPS = 8;

/** Runs the packed graph of one base model, with the adapters of any checkpoints. */
export class PackedDecoder {
  private readonly rotary: Feeds;
  /** Tokens that windowed layers see; null: there are none. */
  private readonly window: number | null;
  /** The adapters of the last prompt, and of the last steps: batches of several capacities take turns. */
  private readonly stacks: Readonly<Record<'prompt' | 'step', AdapterStack>>;

  private constructor(
    readonly config: LlamaConfig,
    /** Longest sequence, in tokens. */
    readonly contextLength: number,
    private readonly session: InferenceSession,
    private readonly embedding: EmbeddingRows,
    /** Settled when the files of the graph are gone, which takes a tenth of a second for 100 MB: no answer waits for it. */
    readonly removal: Promise<void>,
  ) {
    removal.catch(() => undefined);
    this.rotary = rotaryFeeds(config, contextLength);
    this.window = windowOf(config);
    this.stacks = {
      prompt: new AdapterStack(config, { keptUses: 1, takesOver: false }),
      step: new AdapterStack(config, { keptUses: KEPT_STEPS, takesOver: true }),
    };
  }

  /** @param files the graph and its constants: they are gone soon, at the latest when the decoder is closed */
  static async open(
    config: LlamaConfig,
    { folder, embedding: place }: PackedModelFiles,
    { contextLength, form, threads }: PackedDecoderOptions,
  ): Promise<PackedDecoder> {
    let embedding: EmbeddingRows | undefined;
    try {
      embedding = await EmbeddingRows.open(place, config, form);
      const session = await openSession(graphFileIn(folder), threads, { spinUs: SPIN_US });
      return new PackedDecoder(config, contextLength, session, embedding, removePackedFiles(folder));
    } catch (error) {
      await Promise.all([embedding?.close(), removePackedFiles(folder)]);
      throw error;
    }
  }

  /** @param adapter null: the base model itself */
  runner(adapter: PackedAdapter | null): ModelRunner {
    return new PackedRunner(this, adapter);
  }

  /** As {@link ModelRunner.readPrompt}. */
  async readPrompt(
    adapter: PackedAdapter | null,
    past: readonly KeyValues[],
    ids: readonly number[],
    wanted: readonly number[],
  ): Promise<Predictions & { keyValues: KeyValues }> {
    const fed = feedPrompt(this.config, this.contextLength, past, ids, wanted);
    const given = await this.run({
      kind: 'prompt',
      ids: fed.ids,
      positions: fed.positions,
      wanted: fed.wanted,
      past: this.promptPast(past, fed),
      adapters: fed.ids.map(() => adapter),
    });
    return fed.take(given);
  }

  /** As {@link ModelRunner.step}. @param adapters per row */
  step(
    adapters: readonly (PackedAdapter | null)[],
    cache: CacheRows,
    ids: readonly number[],
    positions: readonly number[],
  ): Promise<DecoderResults> {
    const rows = Array.from({ length: cache.fedCount }, (_, row) => row);
    const fedPositions = BigInt64Array.from(rows, (row) => BigInt(positions[row] ?? 0));
    return this.run({
      kind: 'step',
      ids: rows.map((row) => ids[row] ?? 0),
      adapters: rows.map((row) => adapters[row] ?? null),
      past: joinFeeds(cache.feeds(), this.noValues('promptValues', rows.length)),
      positions: new Tensor('int64', fedPositions, [rows.length, 1]),
      wanted: rows,
    });
  }

  async close(): Promise<void> {
    await this.session.release();
    await this.embedding.close();
    await this.removal;
  }

  private async run({ kind, ids, adapters, positions, past, wanted }: Pass) {
    const time = positions.dims[1] as number;
    const seen = (window?: number) => new Tensor('float32', causalMask(time, time, 0, window), [time, time]);
    const feeds = joinFeeds(this.rotary, past, this.stacks[kind].use(adapters), {
      embedded: new Tensor('float32', this.embedding.rows(ids), [ids.length, this.config.hiddenSize]),
      positions,
      causal: seen(),
      ...(this.window !== null && { windowCausal: seen(this.window) }),
      wanted: new Tensor('int64', BigInt64Array.from(wanted, BigInt), [wanted.length]),
    });
    return decoderResults(await this.session.run(feeds));
  }

  private promptPast(past: readonly KeyValues[], { ids, before }: FedPrompt): Feeds {
    const mask = new Tensor('float32', new Float32Array(before), [1, 1, 1, before]);
    const feeds = [{ mask }, pastFeeds(this.config, past, ['keys', 'promptValues']), this.noValues('values', 1)];
    if (this.window === null) return joinFeeds(...feeds);
    const data = causalMask(ids.length, before, before, this.window);
    return joinFeeds(...feeds, { windowMask: new Tensor('float32', data, [1, 1, ids.length, before]) });
  }

  /** Of all layers, no values: `[rows, numKvHeads, 0, headDim]`. */
  private noValues(part: 'values' | 'promptValues', rows: number): Feeds {
    const { numLayers, numKvHeads, headDim } = this.config;
    const none = new Tensor('float32', new Float32Array(0), [rows, numKvHeads, 0, headDim]);
    return Object.fromEntries(Array.from({ length: numLayers }, (_, layer) => [layerInput(layer, part), none]));
  }
}

/** A base model with one adapter, or none. */
class PackedRunner implements ModelRunner {
  /** Two rows made a step of a model with 135 million parameters in 4 bits a third longer than one. */
  readonly minRows = 1;

  constructor(
    private readonly decoder: PackedDecoder,
    private readonly adapter: PackedAdapter | null,
  ) {}

  get group(): object {
    return this.decoder;
  }

  readPrompt(past: readonly KeyValues[], ids: readonly number[], wanted: readonly number[]) {
    return this.decoder.readPrompt(this.adapter, past, ids, wanted);
  }

  step(runners: readonly PackedRunner[], cache: CacheRows, ids: readonly number[], positions: readonly number[]) {
    const adapters = runners.map(({ adapter }) => adapter);
    return this.decoder.step(adapters, cache, ids, positions);
  }
}
