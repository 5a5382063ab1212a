import type { ServedBase, ServedModel } from '../decode/batch/served-model.js';
import { PrefixCache } from '../decode/cache/prefix-cache.js';
import type { ConstraintFactory } from '../decode/constraints/constraint.js';
import { type DecoderTensors, toTensor } from '../decode/graph/decoder-tensors.js';
import { LlamaDecoder } from '../decode/llama-decoder.js';
import { LlamaRunner } from '../decode/llama-runner.js';
import type { ModelRunner } from '../decode/model-runner.js';
import { adapterBytes } from '../decode/packed/packed-adapter.js';
import { PackedDecoder } from '../decode/packed/packed-decoder.js';
import { SamplingBuffers } from '../decode/sampling/token-sampler.js';
import type { LlamaConfig } from '../model/index.js';
import { releaseNativeMemory } from '../runtime/release-native-memory.js';
import type { LoadedModel, LoadedPack, LoadedTensors, LoadedTokens, LoadOrder } from './loader/loader-messages.js';
import { BaseNotLoadedError } from './serve.errors.js';
import type { CheckpointChoice, ModelChoice, ServedBaseInfo, ServingSettings } from './serve-messages.js';
import { TokenTable } from './token-table.js';

/** Reads tensors, in another thread or in this one. */
interface TensorSource {
  load(order: LoadOrder): Promise<LoadedModel | null>;
}

/** Makes the constraint factory of one vocabulary. */
type OpenConstraints = (tokens: TokenTable, config: LlamaConfig) => ConstraintFactory & { close(): Promise<void> };

interface LoadedBase {
  readonly model: ServedModel;
  readonly computed: ComputedBase;
  readonly constraints: ReturnType<OpenConstraints>;
}

/** What computes with a base model and its checkpoints. */
type ComputedBase =
  | { readonly kind: 'tensors'; readonly decoder: LlamaDecoder; readonly tensors: DecoderTensors }
  | { readonly kind: 'pack'; readonly decoder: PackedDecoder };

/** A checkpoint in the cache. */
interface CachedCheckpoint {
  /** Folder of its base model. */
  readonly base: string;
  readonly model: Promise<ServedModel>;
  /** Of the tensors that it does not share with its base; 0 until they are loaded. */
  bytes: number;
}

/** The models in memory: base models until they are unloaded, checkpoints in an LRU cache with a budget of bytes. */
export class ServedModels {
  private readonly bases = new Map<string, Promise<LoadedBase>>();
  /** Of all base models, by base and id; the least recently used first. */
  private readonly checkpoints = new Map<string, CachedCheckpoint>();
  /** Settled when the files of all graphs that were opened are gone. */
  private removals: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly source: TensorSource,
    private readonly settings: ServingSettings,
    private readonly openConstraints: OpenConstraints,
  ) {}

  /** Loads a base model, once. @throws the errors of reading a base model */
  async loadBase(directory: string): Promise<ServedBaseInfo> {
    const loading = this.bases.get(directory) ?? this.openBase(directory);
    this.bases.set(directory, loading);
    loading.catch(() => this.bases.delete(directory));
    const { config, contextLength } = (await loading).model.base;
    return { config, contextLength };
  }

  /** Evicts a base model and its checkpoints, and gives their memory back. The caller has no requests on it any more. */
  async unloadBase(directory: string): Promise<void> {
    await this.closeBase(directory);
    await releaseNativeMemory();
  }

  private async closeBase(directory: string): Promise<void> {
    const base = await this.bases.get(directory);
    this.bases.delete(directory);
    for (const [key, { base: owner }] of this.checkpoints) if (owner === directory) this.checkpoints.delete(key);
    await this.source.load({ kind: 'forget', base: directory });
    await base?.computed.decoder.close();
    await base?.constraints.close();
  }

  /**
   * The weights of a request, loaded when they are not.
   *
   * @throws BaseNotLoadedError
   * @throws CheckpointCorruptError
   */
  async get({ base: directory, checkpoint }: ModelChoice): Promise<ServedModel> {
    const loading = this.bases.get(directory);
    if (loading === undefined) throw new BaseNotLoadedError(directory);
    const base = await loading;
    if (checkpoint === null) return base.model;
    const key = `${directory}\0${checkpoint.id}`;
    const cached = this.checkpoints.get(key) ?? this.load(key, directory, base, checkpoint);
    this.checkpoints.delete(key);
    this.checkpoints.set(key, cached);
    return cached.model;
  }

  /** Waits for what loading leaves to do: the thread may end then. */
  async close(): Promise<void> {
    await this.removals;
  }

  private load(key: string, base: string, loaded: LoadedBase, checkpoint: CheckpointChoice): CachedCheckpoint {
    const loading = this.loadCheckpoint(base, loaded, checkpoint);
    const cached: CachedCheckpoint = { base, model: loading.then(({ model }) => model), bytes: 0 };
    loading.then(
      ({ bytes }) => {
        cached.bytes = bytes;
        this.makeRoom(cached);
      },
      () => this.checkpoints.get(key) === cached && this.checkpoints.delete(key),
    );
    return cached;
  }

  /**
   * Evicts what was not used for longest until the rest fits the budget. The newest stays, however large it is. Requests
   * keep a reference to their weights: those of evicted checkpoints are freed when the last request ends.
   */
  private makeRoom(newest: CachedCheckpoint): void {
    let bytes = [...this.checkpoints.values()].reduce((sum, cached) => sum + cached.bytes, 0);
    for (const [key, cached] of this.checkpoints) {
      if (bytes <= this.settings.maxCheckpointBytes) return;
      if (cached === newest || cached.bytes === 0) continue;
      this.checkpoints.delete(key);
      bytes -= cached.bytes;
    }
  }

  private async openBase(directory: string): Promise<LoadedBase> {
    const { maxParams, weights } = this.settings;
    const loaded = await this.source.load({ kind: 'base', directory, maxParams, weights });
    const opening = this.open(loaded as LoadedTensors | LoadedPack);
    // One after the other where they are read: opening the graph, here, takes as long as the tokens there.
    const reading = this.source.load({ kind: 'tokens', directory }) as Promise<LoadedTokens>;
    const [computed, { table }] = await Promise.all([opening, reading]).catch(async (error: unknown) => {
      const opened = await opening;
      await opened.decoder.close();
      throw error;
    });
    const { config, contextLength } = computed.decoder;
    const tokens = new TokenTable(table, config.vocabSize);
    const constraints = this.openConstraints(tokens, config);
    const base: ServedBase = {
      // Of the decoder: it knows which of the layers' options matter in its context.
      config,
      contextLength,
      tokenizer: tokens,
      buffers: new SamplingBuffers(config.vocabSize),
      prefixCache: new PrefixCache(config, this.settings.maxPrefixTokens),
      constraints,
    };
    return { model: { id: '', base, runner: ownRunner(computed) }, computed, constraints };
  }

  private async loadCheckpoint(
    base: string,
    { model, computed }: LoadedBase,
    { id, directory, sha256 }: CheckpointChoice,
  ): Promise<{ model: ServedModel; bytes: number }> {
    const loaded = (await this.source.load({
      kind: 'checkpoint',
      base,
      weights: this.settings.weights,
      directory,
      sha256,
    })) as LoadedModel;
    const { runner, bytes } = await this.withCheckpoint(computed, loaded);
    return { model: { id, base: model.base, runner }, bytes };
  }

  private async withCheckpoint(
    computed: ComputedBase,
    loaded: LoadedModel,
  ): Promise<{ runner: ModelRunner; bytes: number }> {
    if (loaded.kind === 'pack') return { runner: ownRunner(await this.open(loaded)), bytes: loaded.bytes };
    if (loaded.kind === 'adapter' && computed.kind === 'pack') {
      return { runner: computed.decoder.runner(loaded.adapter), bytes: adapterBytes(loaded.adapter) };
    }
    if (loaded.kind !== 'tensors' || computed.kind !== 'tensors')
      throw new Error(`A ${loaded.kind} came for the base.`);
    const bytes = [...loaded.tensors.values()].reduce((sum, { data }) => sum + data.byteLength, 0);
    const tensors = { ...computed.tensors, ...toTensors(loaded) };
    return { runner: new LlamaRunner(computed.decoder, tensors), bytes };
  }

  private async open(loaded: LoadedTensors | LoadedPack): Promise<ComputedBase> {
    const { maxContextLength, threads, packedThreads, weights } = this.settings;
    const { config, kind } = loaded;
    const contextLength = Math.min(config.maxPositions, maxContextLength);
    if (kind === 'tensors') {
      const decoder = await LlamaDecoder.open(config, contextLength, threads);
      return { kind, decoder, tensors: toTensors(loaded) };
    }
    const decoder = await PackedDecoder.open(config, loaded, { contextLength, form: weights, threads: packedThreads });
    this.removals = Promise.allSettled([this.removals, decoder.removal]);
    return { kind, decoder };
  }
}

const ownRunner = (computed: ComputedBase): ModelRunner =>
  computed.kind === 'pack' ? computed.decoder.runner(null) : new LlamaRunner(computed.decoder, computed.tensors);

function toTensors({ tensors }: LoadedTensors): DecoderTensors {
  return Object.fromEntries(Array.from(tensors, ([input, tensor]) => [input, toTensor(tensor)]));
}
