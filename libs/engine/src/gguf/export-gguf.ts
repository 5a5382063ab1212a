import { basename } from 'node:path';

import type { BaseModel } from '../model/base-model.js';
import { writeDurably, type WrittenFile } from '../model/durable-file.js';
import type { LlamaConfig } from '../model/llama-config.js';
import type { Weights } from '../tensor.js';

import { encodeGguf } from './gguf-file.js';
import { GgufMetadata } from './gguf-metadata.js';
import { toGgufTensors } from './gguf-tensors.js';
import { addTokenizer } from './gguf-tokenizer.js';

/**
 * Writes a model as one GGUF file of float32 tensors, for llama.cpp and the programs that are built on it.
 *
 * @param model whose configuration, tokenizer and chat template go into the file
 * @param weights its own, or those with an adapter merged in
 * @throws GgufUnsupportedError llama.cpp would not read the same model
 */
export function exportGguf(model: BaseModel, weights: Weights, outFile: string): Promise<WrittenFile> {
  const metadata = new GgufMetadata().text('general.architecture', 'llama');
  metadata.text('general.name', basename(model.directory)).count32('general.file_type', 0);
  addArchitecture(metadata, model.config);
  addTokenizer(metadata, model);
  return writeDurably(outFile, encodeGguf(metadata, toGgufTensors(model.config, weights)));
}

function addArchitecture(metadata: GgufMetadata, config: LlamaConfig): void {
  metadata
    .count32('llama.context_length', config.maxPositions)
    .count32('llama.embedding_length', config.hiddenSize)
    .count32('llama.block_count', config.numLayers)
    .count32('llama.feed_forward_length', config.intermediateSize)
    .count32('llama.attention.head_count', config.numHeads)
    .count32('llama.attention.head_count_kv', config.numKvHeads)
    .count32('llama.attention.key_length', config.headDim)
    .count32('llama.attention.value_length', config.headDim)
    .float('llama.attention.layer_norm_rms_epsilon', config.rmsNormEps)
    .count32('llama.rope.dimension_count', config.headDim)
    .float('llama.rope.freq_base', config.ropeTheta)
    .count32('llama.vocab_size', config.vocabSize);
  // llama3's scaling is a tensor, `rope_freqs.weight`.
  if (config.ropeScaling?.type !== 'linear') return;
  metadata.text('llama.rope.scaling.type', 'linear').float('llama.rope.scaling.factor', config.ropeScaling.factor);
}
