import { basename } from 'node:path';

import type { BaseModel } from '../../model/base-model.js';
import { writeDurably, type WrittenFile } from '../../model/weights/durable-file.js';
import type { Weights } from '../../tensor.js';
import { addArchitecture, ggufArchitecture } from './gguf-architecture.js';
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
  const metadata = new GgufMetadata().text('general.architecture', ggufArchitecture(model.config).name);
  metadata.text('general.name', basename(model.directory)).count32('general.file_type', 0);
  addArchitecture(metadata, model.config);
  addTokenizer(metadata, model);
  return writeDurably(outFile, encodeGguf(metadata, toGgufTensors(model.config, weights)));
}
