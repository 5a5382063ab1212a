import { PrefixCache } from '../decode/cache/prefix-cache.js';
import type { ConstraintFactory } from '../decode/constraints/constraint.js';
import { type DecoderTensors, toTensor } from '../decode/graph/decoder-tensors.js';
import { LlamaDecoder } from '../decode/llama-decoder.js';
import type { ServedBase, ServedModel } from '../decode/batch/served-model.js';
import { SamplingBuffers } from '../decode/sampling/token-sampler.js';
import { type LlamaConfig, ModelTokenizer } from '../model/index.js';

import type { LoadedTensors, LoadOrder } from './loader/loader-messages.js';
import { BaseNotLoadedError } from './serve.errors.js';
import type { CheckpointChoice, ModelChoice, ServedBaseInfo, ServingSettings } from './serve-messages.js';
import { TokenTable } from './token-table.js';

/** Reads tensors, in another thread or in this one. */
interface TensorSource {
  load(order: LoadOrder): Promise<LoadedTensors | null>;
}

/** Makes the constraint factory of one vocabulary. */
type OpenConstraints = (tokens: TokenTable, config: LlamaConfig) => ConstraintFactory & { close(): Promise<void> };

interface LoadedBase {
  readonly model: ServedModel;
  readonly constraints: ReturnType<OpenConstraints>;
  /** The least recently used first. */
  readonly checkpoints: Map<string, Promise<ServedModel>>;
}

/** The models in memory: base models until they are unloaded, checkpoints in an LRU cache. */
export class ServedModels {
  private readonly bases = new Map<string, Promise<LoadedBase>>();

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
    const { decoder } = (await loading).model.base;
    return { config: decoder.config, contextLength: decoder.contextLength };
  }

  /** Evicts a base model and its checkpoints. The caller has no requests on it any more. */
  async unloadBase(directory: string): Promise<void> {
    const base = await this.bases.get(directory);
    this.bases.delete(directory);
    await this.source.load({ kind: 'forget', base: directory });
    await base?.model.base.decoder.close();
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
    const model = base.checkpoints.get(checkpoint.id) ?? this.loadCheckpoint(directory, base, checkpoint);
    base.checkpoints.delete(checkpoint.id);
    base.checkpoints.set(checkpoint.id, model);
    model.catch(() => base.checkpoints.delete(checkpoint.id));
    // Requests keep a reference to their weights: evicted ones are freed when the last request ends.
    while (base.checkpoints.size > Math.max(1, this.settings.maxLoadedCheckpoints)) {
      const [oldest] = base.checkpoints.keys();
      base.checkpoints.delete(oldest as string);
    }
    return model;
  }

  private async openBase(directory: string): Promise<LoadedBase> {
    const { maxParams, maxContextLength, maxPrefixTokens, threads } = this.settings;
    const loaded = (await this.source.load({ kind: 'base', directory, maxParams })) as LoadedTensors;
    const { config } = loaded;
    const tokens = new TokenTable(await ModelTokenizer.read(directory), config.vocabSize);
    const decoder = await LlamaDecoder.open(config, Math.min(config.maxPositions, maxContextLength), threads);
    const constraints = this.openConstraints(tokens, config);
    const base: ServedBase = {
      decoder,
      tokenizer: tokens,
      buffers: new SamplingBuffers(config.vocabSize),
      prefixCache: new PrefixCache(config, maxPrefixTokens),
      constraints,
    };
    return { model: { id: '', base, tensors: toTensors(loaded) }, constraints, checkpoints: new Map() };
  }

  private async loadCheckpoint(
    base: string,
    { model }: LoadedBase,
    { id, directory, sha256 }: CheckpointChoice,
  ): Promise<ServedModel> {
    const loaded = (await this.source.load({ kind: 'checkpoint', base, directory, sha256 })) as LoadedTensors;
    return { id, base: model.base, tensors: { ...model.tensors, ...toTensors(loaded) } };
  }
}

function toTensors({ tensors }: LoadedTensors): DecoderTensors {
  return Object.fromEntries(Array.from(tensors, ([input, tensor]) => [input, toTensor(tensor)]));
}
