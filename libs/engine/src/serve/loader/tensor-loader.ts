import type { StoredWeights, WeightForm } from '../../blocks/index.js';
import { CheckpointCorruptError, type CheckpointParts, mergeAdapter, readCheckpoint } from '../../checkpoints/index.js';
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
import { SpareBuffer } from '../../runtime/spare-buffer.js';
import type { FloatTensor, Weights } from '../../tensor.js';
import { directoryOf } from '../base-name.js';
import { toTokenTable } from '../token-table.js';
import { isPacked } from './is-packed.js';
import type { CheckpointOrder, LoadedModel, LoadedPack, LoadedTensors, LoadOrder } from './loader-messages.js';

/** A base model whose checkpoints may come. */
interface KnownBase {
  readonly config: LlamaConfig;
  /** Adapters are merged with them; null: they are packed, and adapters stay apart. */
  readonly weights: Weights | null;
}

/** A checkpoint that is read before it is ordered. */
interface AnnouncedCheckpoint {
  readonly key: string;
  readonly parts: Promise<CheckpointParts>;
  /** Its order may never come: the request was given up, or the checkpoint was in memory. */
  readonly expiry: NodeJS.Timeout;
}

/** How long a checkpoint is kept for its order. */
const ANNOUNCED_MS = 10_000;

/** Reads models and checkpoints and lays their weights out for the decoder graphs. */
export class TensorLoader {
  private readonly bases = new Map<string, KnownBase>();
  /** Where the next adapter is read. */
  private readonly spare = new SpareBuffer();
  private announced: AnnouncedCheckpoint | null = null;
  /** Key of the checkpoint that was ordered last. */
  private ordered = '';
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
        return { kind: 'tokens', table: toTokenTable(await Vocabulary.read(directoryOf(order.directory))) };
      case 'checkpoint':
        this.ordered = keyOf(order);
        return this.afterOthers(() => this.loadCheckpoint(order));
      case 'forget':
        this.bases.delete(order.base);
        return null;
    }
  }

  /**
   * Begins to read a checkpoint that will be ordered soon: the thread that orders hears of a request when its step is
   * done, the loader at once. One at a time: those that come meanwhile wait for their orders, and so does the first
   * checkpoint of a base.
   */
  announce(order: CheckpointOrder): void {
    const known = this.bases.get(order.base);
    // An order may arrive before its announcement: they come by two ways.
    if (known === undefined || this.announced !== null || this.ordered === keyOf(order)) return;
    const parts = this.afterOthers(() => this.readParts(order, known.config));
    const expiry = setTimeout(() => (this.announced = null), ANNOUNCED_MS).unref();
    this.announced = { key: keyOf(order), parts, expiry };
  }

  private async loadBase(name: string, maxParams: number, form: WeightForm): Promise<LoadedTensors | LoadedPack> {
    const directory = directoryOf(name);
    const config = await readLlamaConfig(directory, maxParams);
    if (await isPacked(directory, config, form)) {
      this.bases.set(name, { config, weights: null });
      return pack(config, await loadStoredWeights(directory, config), form, directory);
    }
    const weights = await loadWeights(directory, config);
    this.bases.set(name, { config, weights });
    return { kind: 'tensors', config, tensors: layOut(config, weights, () => true) };
  }

  /** One checkpoint at a time: the first of many is there sooner, and what reading them takes is needed once. */
  private afterOthers<T>(load: () => Promise<T>): Promise<T> {
    const loaded = this.lastCheckpoint.then(load);
    this.lastCheckpoint = loaded.catch(() => undefined);
    return loaded;
  }

  private async loadCheckpoint(order: CheckpointOrder): Promise<LoadedModel> {
    const { base, weights: form, directory } = order;
    const { config, weights } = this.bases.get(base) ?? (await this.reopen(base, form));
    const { trained } = await (this.takeAnnounced(order) ?? this.readParts(order, config));
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

  private readParts({ directory, sha256 }: CheckpointOrder, config: LlamaConfig): Promise<CheckpointParts> {
    const allocate = (bytes: number) => this.spare.take(bytes);
    return readCheckpoint(directory, config, { optimizer: false, sha256, allocate });
  }

  private takeAnnounced(order: CheckpointOrder): Promise<CheckpointParts> | null {
    const { announced } = this;
    if (announced?.key !== keyOf(order)) return null;
    clearTimeout(announced.expiry);
    this.announced = null;
    return announced.parts;
  }

  /** Takes over a base that an earlier thread has loaded. */
  private async reopen(name: string, form: WeightForm): Promise<KnownBase> {
    const directory = directoryOf(name);
    const config = await readLlamaConfig(directory, Infinity);
    const weights = (await isPacked(directory, config, form)) ? null : await loadWeights(directory, config);
    const base = { config, weights };
    this.bases.set(name, base);
    return base;
  }
}

const keyOf = ({ base, directory, sha256 = '' }: CheckpointOrder): string => [base, directory, sha256].join('\0');

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
