import { CheckpointCorruptError, mergeAdapter, readCheckpoint } from '../../checkpoints/index.js';
import { decoderParts, layOutPart } from '../../decode/graph/decoder-tensors.js';
import { areFinite } from '../../finite.js';
import { type LlamaConfig, loadWeights, readLlamaConfig } from '../../model/index.js';
import type { FloatTensor, Weights } from '../../tensor.js';

import type { LoadedTensors, LoadOrder } from './loader-messages.js';

/**
 * Reads models and checkpoints and lays their weights out for the decoder graphs. It keeps the weights of base
 * models: adapters are merged with them.
 */
export class TensorLoader {
  private readonly bases = new Map<string, { config: LlamaConfig; weights: Weights }>();

  /**
   * @returns tensors in memory that nothing else uses, so that it can be handed to another thread
   * @throws the errors of reading a base model or a checkpoint
   */
  async load(order: LoadOrder): Promise<LoadedTensors | null> {
    switch (order.kind) {
      case 'base':
        return this.loadBase(order.directory, order.maxParams);
      case 'checkpoint':
        return this.loadCheckpoint(order.base, order.directory, order.sha256);
      case 'forget':
        this.bases.delete(order.base);
        return null;
    }
  }

  private async loadBase(directory: string, maxParams: number): Promise<LoadedTensors> {
    const config = await readLlamaConfig(directory, maxParams);
    const weights = await loadWeights(directory, config);
    this.bases.set(directory, { config, weights });
    return { config, tensors: layOut(config, weights, () => true) };
  }

  private async loadCheckpoint(directoryOfBase: string, directory: string, sha256?: string): Promise<LoadedTensors> {
    const base = this.bases.get(directoryOfBase);
    if (base === undefined) throw new Error(`The base model in ${directoryOfBase} is not loaded.`);
    const { config, weights } = base;
    const { trained } = await readCheckpoint(directory, config, { optimizer: false, sha256 });
    const own = trained.kind === 'full' ? trained.weights : mergeAdapter(weights, config, trained.adapter);
    for (const [name, { data }] of own) {
      if (own.get(name) === weights.get(name) || areFinite(data)) continue;
      throw new CheckpointCorruptError(directory, `${name} is not finite when the adapter is added`);
    }
    return { config, tensors: layOut(config, own, (name) => own.get(name) !== weights.get(name)) };
  }
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
