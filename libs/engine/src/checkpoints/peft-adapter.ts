import type { DecoderShape } from '../model/decoder-shape.js';
import type { FloatTensor } from '../tensor.js';

import type { LoraAdapter } from './lora-adapter.js';
import { PeftAdapterFile } from './open-adapter.js';

/**
 * Reads an adapter in PEFT's layout, ours or another's, for a base model.
 *
 * @throws AdapterDamagedError a file or tensor is missing, has another shape than the base model asks for, or a value
 *   that is not finite
 * @throws AdapterUnsupportedError it is not plain LoRA on projections, the same ones in every layer
 */
export async function readPeftAdapter(directory: string, config: DecoderShape): Promise<LoraAdapter> {
  const file = await PeftAdapterFile.open(directory, config);
  try {
    const read = new Map<string, FloatTensor>();
    for (const name of file.namesAsStored) read.set(name, await file.read(name));
    const tensors = new Map(file.tensors.map(({ name }) => [name, read.get(name) as FloatTensor]));
    const { baseModel, rank, alpha } = file.settings;
    return { baseModel, rank, alpha, targets: file.targets, tensors };
  } finally {
    await file.close();
  }
}
