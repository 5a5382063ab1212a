import { type InferenceSession, Tensor } from 'onnxruntime-node';

import type { WeightForm } from '../../blocks/index.js';
import { type EmbeddingPlace, EmbeddingRows } from '../../model/embedding-rows.js';
import { type LlamaConfig, windowOf } from '../../model/llama-config.js';
import { type Feeds, joinFeeds } from '../../runtime/join-feeds.js';
import { openSession } from '../../runtime/session.js';
import { HIDDEN } from '../cache/cache-mask.js';
import { CacheRows } from '../cache/cache-rows.js';
import { countTokens, type KeyValues } from '../cache/key-values.js';
import { causalMask } from '../causal-mask.js';
import type { ModelRunner, Predictions } from '../model-runner.js';
import { rotaryFeeds } from '../rotary-feeds.js';

import { AdapterStack } from './adapter-stack.js';
import type { PackedAdapter } from './packed-adapter.js';
import { graphFileIn, removePackedFiles } from './packed-files.js';

interface Pass {
  readonly kind: 'prompt' | 'step';
  readonly ids: readonly number[];
  /** Of `ids`, each: null is the base model. */
  readonly adapters: readonly (PackedAdapter | null)[];
  /** int64 `[rows, time]`. */
  readonly positions: Tensor;
  readonly cache: CacheRows;
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
  /** In which the weights of the model are held. */
  readonly form: WeightForm;
  /** How many one operator may use. */
  readonly threads: number;
}

const CONTEXT_MULTIPLE = 64;
/**
 * Waking a thread for each operator that several share made a step of one sequence of a model with 135 million parameters
 * a third longer. Longer waits were no faster, and take the core from others for longer.
 */
const SPIN_US = 50;
/** How many steps long an adapter stays in their stack without being asked for. */
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
    const before = countTokens(past);
    const capacity = Math.max(1, Math.ceil(before / CONTEXT_MULTIPLE)) * CONTEXT_MULTIPLE;
    const cache = new CacheRows(this.config, capacity, 1);
    cache.add(past, before);
    const positions = BigInt64Array.from(ids, (_, index) => BigInt(before + index));
    const { newRows, ...predictions } = await this.run({
      ...{ kind: 'prompt', ids, wanted, cache },
      adapters: ids.map(() => adapter),
      positions: new Tensor('int64', positions, [1, ids.length]),
    });
    return { ...predictions, keyValues: { tokens: ids.length, data: newRows } };
  }

  /** As {@link ModelRunner.step}. @param adapters per row */
  step(
    adapters: readonly (PackedAdapter | null)[],
    cache: CacheRows,
    ids: readonly number[],
    positions: readonly number[],
  ): Promise<Predictions & { newRows: Float32Array }> {
    return this.run({
      ...{ kind: 'step', ids, adapters, cache },
      positions: new Tensor('int64', BigInt64Array.from(positions, BigInt), [ids.length, 1]),
      wanted: [...ids.keys()],
    });
  }

  async close(): Promise<void> {
    await this.session.release();
    await this.embedding.close();
    await this.removal;
  }

  private async run({ kind, ids, adapters, positions, cache, wanted }: Pass) {
    const time = positions.dims[1] as number;
    const feeds = joinFeeds(
      this.rotary,
      cache.feeds(),
      this.windowFeeds(time, positions, cache.capacity),
      this.stacks[kind].use(adapters),
      {
        embedded: new Tensor('float32', this.embedding.rows(ids), [ids.length, this.config.hiddenSize]),
        positions,
        causal: new Tensor('float32', causalMask(time, time, 0), [time, time]),
        wanted: new Tensor('int64', BigInt64Array.from(wanted, BigInt), [wanted.length]),
      },
    );
    const outputs = await this.session.run(feeds);
    const data = (name: string) => outputs[name]?.data as Float32Array;
    return {
      logProbabilities: data('logProbabilities'),
      logPartition: data('logPartition'),
      newRows: data('newRows'),
    };
  }

  /** Of windowed layers. A step of one token each has the masks of its cache. */
  private windowFeeds(time: number, positions: Tensor, capacity: number): Feeds {
    if (this.window === null) return {};
    const causal = new Tensor('float32', causalMask(time, time, 0, this.window), [time, time]);
    if (time === 1) return { windowCausal: causal };
    const first = Number(positions.data[0]);
    const past = causalMask(time, capacity, first, this.window);
    // Slots from the first new token on are empty.
    for (let token = 0; token < time; token += 1) past.fill(HIDDEN, token * capacity + first, (token + 1) * capacity);
    return { windowCausal: causal, windowMask: new Tensor('float32', past, [1, 1, time, capacity]) };
  }
}

/** A base model with one adapter, or none. */
class PackedRunner implements ModelRunner {
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
