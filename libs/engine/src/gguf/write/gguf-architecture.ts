import { attentionScaleOf, layerAttention, type LlamaConfig } from '../../model/config/llama-config.js';
import { GgufUnsupportedError } from './gguf.errors.js';
import type { GgufMetadata } from './gguf-metadata.js';

/** How llama.cpp computes a family, by its name there. */
interface GgufArchitecture {
  readonly name: string;
  /** Its rope turns neighbouring rows of q and k. */
  readonly isInterleaved: boolean;
}

const LLAMA: GgufArchitecture = { name: 'llama', isInterleaved: true };

/** Mistral is a llama to llama.cpp, which knows no window there. */
export function ggufArchitecture({ family }: LlamaConfig): GgufArchitecture {
  switch (family) {
    case undefined:
    case 'mistral':
      return LLAMA;
    case 'smollm3':
      return { name: 'smollm3', isInterleaved: true };
    case 'qwen2':
    case 'qwen3':
    case 'gemma2':
      return { name: family, isInterleaved: false };
    case 'gemma3_text':
      return { name: 'gemma3', isInterleaved: false };
  }
}

/**
 * Adds the sizes of the model, and what its family needs besides.
 *
 * @throws GgufUnsupportedError llama.cpp would compute something else
 */
export function addArchitecture(metadata: GgufMetadata, config: LlamaConfig): void {
  const { name } = ggufArchitecture(config);
  assertComputed(config);
  metadata
    .count32(`${name}.context_length`, longestContext(config))
    .count32(`${name}.embedding_length`, config.hiddenSize)
    .count32(`${name}.block_count`, config.numLayers)
    .count32(`${name}.feed_forward_length`, config.intermediateSize)
    .count32(`${name}.attention.head_count`, config.numHeads)
    .count32(`${name}.attention.head_count_kv`, config.numKvHeads)
    .count32(`${name}.attention.key_length`, config.headDim)
    .count32(`${name}.attention.value_length`, config.headDim)
    .float(`${name}.attention.layer_norm_rms_epsilon`, config.rmsNormEps)
    .count32(`${name}.rope.dimension_count`, config.headDim)
    .float(`${name}.rope.freq_base`, config.ropeTheta)
    .count32(`${name}.vocab_size`, config.vocabSize);
  // llama3's scaling is a tensor, `rope_freqs.weight`.
  if (config.ropeScaling?.type === 'linear') {
    metadata
      .text(`${name}.rope.scaling.type`, 'linear')
      .float(`${name}.rope.scaling.factor`, config.ropeScaling.factor);
  }
  if (isGemma(config)) {
    metadata.count32(`${name}.attention.sliding_window`, config.window ?? config.maxPositions);
    if (config.windowRopeTheta !== undefined) metadata.float(`${name}.rope.freq_base_swa`, config.windowRopeTheta);
    if (config.attentionCap !== undefined) metadata.float(`${name}.attn_logit_softcapping`, config.attentionCap);
    if (config.logitCap !== undefined) metadata.float(`${name}.final_logit_softcapping`, config.logitCap);
  }
}

const isGemma = ({ family }: LlamaConfig): boolean => family === 'gemma2' || family === 'gemma3_text';

/** llama.cpp has windows in Gemma alone: other families are what they are as long as the context fits into the window. */
function longestContext(config: LlamaConfig): number {
  return isGemma(config) ? config.maxPositions : Math.min(config.maxPositions, config.window ?? Infinity);
}

function assertComputed(config: LlamaConfig): void {
  const { family, ropeScaling, biases = [], hiddenSize, numHeads, headDim } = config;
  const refuse = (reason: string): never => {
    throw new GgufUnsupportedError(`llama.cpp has ${reason}`);
  };
  if (ropeScaling?.type === 'llama3' && family !== undefined && family !== 'mistral') {
    refuse(`Llama 3's stretching of positions in llama alone, not in ${family}`);
  }
  if (biases.length > 0 && family !== undefined && family !== 'qwen2') refuse(`no biases in ${family}`);
  if (family === 'qwen2' && hiddenSize !== numHeads * headDim) refuse('heads of the width shared out to them in qwen2');
  if (family === 'smollm3') {
    const isUsual = (layer: number) => layerAttention(config, layer).isRotated === ((layer + 1) % 4 !== 0);
    if (!everyLayer(config, isUsual)) refuse('no positions in every fourth layer of smollm3');
  }
  if (isGemma(config)) assertGemma(config, refuse);
}

function assertGemma(config: LlamaConfig, refuse: (reason: string) => never): void {
  const { family, hiddenSize, numHeads, numLayers, headDim, attentionCap, logitCap } = config;
  const pattern = family === 'gemma2' ? 2 : 6;
  const isUsual = (layer: number) => layerAttention(config, layer).isWindowed === ((layer + 1) % pattern !== 0);
  if (config.attention && !everyLayer(config, isUsual))
    refuse(`windows in all but every ${pattern}. layer of ${family}`);
  // The models of 27 billion parameters, which it knows by their number of layers.
  const isLargest = numLayers === (family === 'gemma2' ? 46 : 62);
  const scale = 1 / Math.sqrt(isLargest ? hiddenSize / numHeads : headDim);
  if (Math.abs(attentionScaleOf(config) / scale - 1) > 1e-6) refuse(`${scale} as scale of attention in ${family}`);
  const hasCaps = attentionCap !== undefined && logitCap !== undefined;
  const hasNone = attentionCap === undefined && logitCap === undefined;
  if (family === 'gemma2' ? !hasCaps : !hasNone) refuse(`caps of logits in gemma2, and in no other`);
}

function everyLayer({ numLayers }: LlamaConfig, fits: (layer: number) => boolean): boolean {
  return Array.from({ length: numLayers }, (_, layer) => layer).every(fits);
}
