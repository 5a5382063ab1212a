import { Tensor } from 'onnxruntime-node';

import { layerAttention, type LlamaConfig } from '../../model/config/llama-config.js';
import { LAYER_PRODUCTS, type LayerProduct } from '../decoder-graph.js';
import { moduleScaleOf } from '../lora-variant.js';
import type { Feeds } from '../micro-batch-feeds.js';
import { vector } from '../tensors.js';
import { projectionPath, type TrainedPart } from '../trained-parameters.js';
import type { FrozenWeights } from './frozen-weights.js';
import { layerSizeOf, savedName } from './layer-graph.js';
import type { LayerwiseGraph, LayerwiseGraphs } from './layerwise-graphs.js';
import type { LayerwisePlan } from './layerwise-plan.js';
import type { Scratch } from './scratch.js';

interface StackSettings {
  readonly config: LlamaConfig;
  readonly part: TrainedPart;
  readonly plan: LayerwisePlan;
}

/** The layers between embedding and head. A backward pass belongs to the forward pass before it. */
export class LayerStack {
  private readonly layerSize: number;
  private readonly widths: Readonly<Record<LayerProduct, number>>;

  constructor(
    private readonly settings: StackSettings,
    private readonly runs: LayerwiseGraphs,
    private readonly frozen: FrozenWeights,
    private readonly scratch: Scratch,
  ) {
    const { config, part } = settings;
    this.layerSize = layerSizeOf(config, part);
    this.widths = {
      q_proj: config.numHeads * config.headDim,
      k_proj: config.numKvHeads * config.headDim,
      v_proj: config.numKvHeads * config.headDim,
      attended: config.hiddenSize,
      gate_proj: config.intermediateSize,
      up_proj: config.intermediateSize,
    };
  }

  /** The graphs that a step runs. */
  get graphs(): LayerwiseGraph[] {
    const { savedLayers } = this.settings.plan;
    const isAnySaved = savedLayers > 0;
    const isAnyRecomputed = savedLayers < this.settings.config.numLayers;
    return [
      ...(isAnySaved ? (['layer save', 'layer backward'] as const) : []),
      ...(isAnyRecomputed ? (['layer forward', 'layer recompute'] as const) : []),
    ];
  }

  /**
   * @param purpose `train` keeps what {@link backward} needs
   * @returns the last layer's result, `[tokens, hiddenSize]`, valid until the next pass
   */
  async forward(feeds: Feeds, parameters: Float32Array, purpose: 'forward' | 'train'): Promise<Float32Array> {
    const { numLayers, hiddenSize } = this.settings.config;
    const ids = feeds['ids'] as Tensor;
    const size = ids.size * hiddenSize;
    const slot = (layer: number) => `hidden ${purpose === 'train' ? layer : layer % 2}`;
    let hidden = this.scratch.take(slot(0), size);
    this.frozen.embed(ids.data as BigInt64Array, hidden);
    for (let layer = 0; layer < numLayers; layer += 1) {
      const result = this.scratch.take(slot(layer + 1), size);
      const isSaved = purpose === 'train' && this.isSaved(layer);
      await this.runs.run(isSaved ? 'layer save' : 'layer forward', this.inputs(feeds, layer, hidden, parameters), {
        result: rows(result, ids.size),
        ...(isSaved && this.products(layer, ids.size)),
      });
      hidden = result;
    }
    return hidden;
  }

  /**
   * @param last gradient of the loss by the last layer's result, `[tokens, hiddenSize]`
   * @param gradient of the trained parameters: what this pass finds is added
   */
  async backward(feeds: Feeds, parameters: Float32Array, last: Float32Array, gradient: Float32Array): Promise<void> {
    const tokens = (feeds['ids'] as Tensor).size;
    const ofLayer = new Float32Array(this.layerSize);
    let resultGradient = last;
    for (let layer = this.settings.config.numLayers - 1; layer >= 0; layer -= 1) {
      const isSaved = this.isSaved(layer);
      const hidden = this.scratch.take(`hidden ${layer}`, last.length);
      const hiddenGradient = this.scratch.take(`gradient ${(this.settings.config.numLayers - layer) % 2}`, last.length);
      await this.runs.run(
        isSaved ? 'layer backward' : 'layer recompute',
        {
          ...this.inputs(feeds, layer, hidden, parameters),
          resultGradient: rows(resultGradient, tokens),
          ...(isSaved && this.products(layer, tokens)),
        },
        { hiddenGradient: rows(hiddenGradient, tokens), gradient: vector(ofLayer) },
      );
      addInto(gradient.subarray(layer * this.layerSize), ofLayer);
      resultGradient = hiddenGradient;
    }
  }

  private isSaved(layer: number): boolean {
    return layer >= this.settings.config.numLayers - this.settings.plan.savedLayers;
  }

  private inputs(feeds: Feeds, layer: number, hidden: Float32Array, parameters: Float32Array): Feeds {
    const [batch, length] = (feeds['ids'] as Tensor).dims as readonly [number, number];
    const start = layer * this.layerSize;
    return {
      ...feeds,
      ...contextOf(this.settings.config, feeds, layer),
      ...this.frozen.ofLayer(layer),
      hidden: new Tensor('float32', hidden, [batch, length, this.settings.config.hiddenSize]),
      parameters: vector(parameters.subarray(start, start + this.layerSize)),
      ...scalesOf(this.settings.part, layer),
    };
  }

  private products(layer: number, tokens: number): Feeds {
    return Object.fromEntries(
      LAYER_PRODUCTS.map((product) => {
        const numbers = this.scratch.take(`${product} ${layer}`, tokens * this.widths[product]);
        return [savedName(product), rows(numbers, tokens)];
      }),
    );
  }
}

/** What a graph of modules with scales of their own is fed. */
function scalesOf(part: TrainedPart, layer: number): Feeds {
  if (part.kind === 'full' || !part.lora.variant) return {};
  const { lora } = part;
  const scales = lora.targets.map((target) => moduleScaleOf(lora, projectionPath(layer, target)).scale);
  return { scales: vector(Float32Array.from(scales)) };
}

/** Mask and rotary tables of a layer, under the names of a model in which all layers have the same. */
function contextOf(config: LlamaConfig, feeds: Feeds, layer: number): Feeds {
  const { isWindowed, isRotated } = layerAttention(config, layer);
  const [mask, cosines, sines] = isWindowed
    ? ['windowMask', 'windowCosines', 'windowSines']
    : ['mask', 'cosines', 'sines'];
  const tables = { cosines: feeds[cosines] as Tensor, sines: feeds[sines] as Tensor };
  return { mask: feeds[mask] as Tensor, ...(isRotated ? tables : unturned(tables.cosines)) };
}

/** Rotation by no angle. */
function unturned({ size, dims }: Tensor): Feeds {
  return {
    cosines: new Tensor('float32', new Float32Array(size).fill(1), dims),
    sines: new Tensor('float32', new Float32Array(size), dims),
  };
}

const rows = (data: Float32Array, count: number) => new Tensor('float32', data, [count, data.length / count]);

function addInto(target: Float32Array, added: Float32Array): void {
  for (let at = 0; at < added.length; at += 1) target[at] = (target[at] as number) + (added[at] as number);
}
