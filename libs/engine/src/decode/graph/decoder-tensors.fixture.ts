import type { LlamaConfig } from '../../model/config/llama-config.js';
import type { Weights } from '../../tensor.js';
import { decoderParts, type DecoderTensors, layOutPart, toTensor } from './decoder-tensors.js';

/** @param weights by their names in the Hugging Face layout, matrices `[out, in]` */
export function toDecoderTensors(config: LlamaConfig, weights: Weights): DecoderTensors {
  return Object.fromEntries(decoderParts(config).map((part) => [part.input, toTensor(layOutPart(weights, part))]));
}
