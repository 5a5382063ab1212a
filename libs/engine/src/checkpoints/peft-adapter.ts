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
    // Hundreds of small reads: one after the other, they would wait for each other most of the time. All have ended before
    // the file is closed, those after a failed one, too.
    const read = file.tensors.map(async ({ name }) => [name, await file.read(name)] as const);
    await Promise.allSettled(read);
    const tensors = new Map<string, FloatTensor>(await Promise.all(read));
    const { baseModel, rank, alpha } = file.settings;
    return { baseModel, rank, alpha, targets: file.targets, tensors };
  } finally {
    await file.close();
  }
}
