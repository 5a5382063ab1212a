import { CheckpointCorruptError, mergeAdapter, readCheckpoint } from '../../checkpoints/index.js';
import type { StoredWeights, WeightForm } from '../../blocks/index.js';
import { decoderParts, layOutPart } from '../../decode/graph/decoder-tensors.js';
import { packAdapter } from '../../decode/packed/packed-adapter.js';
import { writePackedFiles } from '../../decode/packed/packed-files.js';
import { buildPackedGraph } from '../../decode/packed/packed-graph.js';
import { areFinite } from '../../finite.js';
import {
  type LlamaConfig,
  loadStoredWeights,
  loadWeights,
  locateEmbedding,
  readLlamaConfig,
  Vocabulary,
  weightsInForm,
} from '../../model/index.js';
import type { FloatTensor, Weights } from '../../tensor.js';

import { toTokenTable } from '../token-table.js';

import type { LoadedModel, LoadedPack, LoadedTensors, LoadOrder } from './loader-messages.js';
import { isPacked } from './is-packed.js';

/** A base model whose checkpoints may come. */
interface KnownBase {
  readonly config: LlamaConfig;
  /** Adapters are merged with them; null: they are packed, and adapters stay apart. */
  readonly weights: Weights | null;
}

/** Reads models and checkpoints and lays their weights out for the decoder graphs. */
export class TensorLoader {
  private readonly bases = new Map<string, KnownBase>();
  /** The last checkpoint that was asked for. */
  private lastCheckpoint: Promise<unknown> = Promise.resolve();

  /**
   * @returns tensors in memory that nothing else uses, so that it can be handed to another thread
   * @throws the errors of reading a base model or a checkpoint
   */
  async load(order: LoadOrder): Promise<LoadedModel | null> {
    switch (order.kind) {
      case 'base':
        return this.loadBase(order.directory, order.maxParams, order.weights);
      case 'tokens':
        return { kind: 'tokens', table: toTokenTable(await Vocabulary.read(order.directory)) };
      case 'checkpoint':
        return this.afterOthers(() => this.loadCheckpoint(order));
      case 'forget':
        this.bases.delete(order.base);
        return null;
    }
  }

  private async loadBase(directory: string, maxParams: number, form: WeightForm): Promise<LoadedTensors | LoadedPack> {
    const config = await readLlamaConfig(directory, maxParams);
    if (await isPacked(directory, config, form)) {
      this.bases.set(directory, { config, weights: null });
      return pack(config, await loadStoredWeights(directory, config), form, directory);
    }
    const weights = await loadWeights(directory, config);
    this.bases.set(directory, { config, weights });
    return { kind: 'tensors', config, tensors: layOut(config, weights, () => true) };
  }

  /** One checkpoint at a time: the first of many is there sooner, and what reading them takes is needed once. */
  private afterOthers(load: () => Promise<LoadedModel>): Promise<LoadedModel> {
    const loaded = this.lastCheckpoint.then(load);
    this.lastCheckpoint = loaded.catch(() => undefined);
    return loaded;
  }

  private async loadCheckpoint({
    base,
    weights: form,
    directory,
    sha256,
  }: Extract<LoadOrder, { kind: 'checkpoint' }>): Promise<LoadedModel> {
    const { config, weights } = this.bases.get(base) ?? (await this.reopen(base, form));
    const { trained } = await readCheckpoint(directory, config, { optimizer: false, sha256 });
    if (weights === null) {
      return trained.kind === 'full'
        ? pack(config, trained.weights, form, directory)
        : { kind: 'adapter', adapter: packAdapter(config, trained.adapter) };
    }
    const own = trained.kind === 'full' ? trained.weights : mergeAdapter(weights, config, trained.adapter);
    for (const [name, { data }] of own) {
      if (own.get(name) === weights.get(name) || areFinite(data)) continue;
      throw new CheckpointCorruptError(directory, `${name} is not finite when the adapter is added`);
    }
    return { kind: 'tensors', config, tensors: layOut(config, own, (name) => own.get(name) !== weights.get(name)) };
  }

  /** A base that a thread before this one has loaded. */
  private async reopen(directory: string, form: WeightForm): Promise<KnownBase> {
    const config = await readLlamaConfig(directory, Infinity);
    const weights = (await isPacked(directory, config, form)) ? null : await loadWeights(directory, config);
    const base = { config, weights };
    this.bases.set(directory, base);
    return base;
  }
}

/** @param embedding folder that has it */
async function pack(
  config: LlamaConfig,
  stored: StoredWeights,
  form: WeightForm,
  embedding: string,
): Promise<LoadedPack> {
  const weights = weightsInForm(config, stored, form);
  const place = await locateEmbedding(embedding, config);
  const files = await writePackedFiles((onConstant) => buildPackedGraph(config, weights, onConstant));
  return { kind: 'pack', config, ...files, embedding: place };
}

/** The parts of which at least one tensor is wanted, in memory of their own. */
function layOut(config: LlamaConfig, weights: Weights, isWanted: (name: string) => boolean): Map<string, FloatTensor> {
  const wanted = decoderParts(config).filter(({ sources }) => sources.some(isWanted));
  return new Map(
    wanted.map((part) => {
      const tensor = layOutPart(weights, part);
      const isShared = tensor === weights.get(part.sources[0] as string);
      return [part.input, isShared ? { ...tensor, data: tensor.data.slice() } : tensor];
    }),
  );
}
