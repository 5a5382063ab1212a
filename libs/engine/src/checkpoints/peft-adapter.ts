import type { DecoderShape } from '../model/config/decoder-shape.js';
import type { LoraAdapter } from './lora-adapter.js';
import { PeftAdapterFile } from './open-adapter.js';
import { filledUp } from './ranked-modules.js';

/**
 * Reads an adapter in PEFT's layout, ours or another's, for a base model. Its tensors share one buffer, unless modules
 * differ in rank.
 *
 * @param weights bytes of its weights' file, if they were read before: they become the tensors' buffer
 * @throws AdapterDamagedError a file or tensor is missing, has another shape than the base model asks for, or a value
 *   that is not finite
 * @throws AdapterUnsupportedError it is not plain LoRA on projections, the same ones in every layer
 */
export async function readPeftAdapter(
  directory: string,
  config: DecoderShape,
  weights?: Uint8Array,
): Promise<LoraAdapter> {
  const file = await PeftAdapterFile.open(directory, config, weights);
  try {
    return { ...file.settings, tensors: filledUp(file.settings, await file.readAll()) };
  } finally {
    await file.close();
  }
}
