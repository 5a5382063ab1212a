import { join } from 'node:path';

import type { StoredWeights, WeightForm } from '../blocks/index.js';
import type { Weights } from '../tensor.js';
import type { LlamaConfig } from './config/llama-config.js';
import { readLlamaConfig } from './config/read-config.js';
import { hashFiles } from './hash-files.js';
import { listWeightFiles, loadStoredWeights, loadWeights } from './weights/weights.js';
import { weightsInForm } from './weights/weights-in-form.js';

export interface OpenBaseModelOptions {
  /** How many parameters the model may have. Default 2e9. */
  readonly maxParams?: number;
}

/** A model folder in the Hugging Face layout without its texts: configuration is read, the weights on demand. */
export class ModelFolder {
  private digestOnce: Promise<string> | undefined;

  constructor(
    readonly directory: string,
    readonly config: LlamaConfig,
  ) {}

  /** SHA-256 (hex) of the configuration's and the weights' bytes: equal digests compute the same. Read once, by stream. */
  digest(): Promise<string> {
    this.digestOnce ??= this.computeDigest();
    return this.digestOnce;
  }

  /**
   * Reads all weights; nothing is kept here, each call reads again.
   *
   * @throws BaseModelDamagedError, TensorMissingError, TensorShapeError, TensorTypeError
   */
  loadWeights(): Promise<Weights> {
    return loadWeights(this.directory, this.config);
  }

  /**
   * The same with matrices in a form of few bits, or in that of the files.
   *
   * @throws as {@link loadWeights}
   */
  async loadStoredWeights(form: WeightForm): Promise<StoredWeights> {
    return weightsInForm(this.config, await loadStoredWeights(this.directory, this.config), form);
  }

  private async computeDigest(): Promise<string> {
    try {
      return await hashFiles([join(this.directory, 'config.json'), ...(await listWeightFiles(this.directory))]);
    } catch (error) {
      // Not cached: a later call may find the folder repaired.
      this.digestOnce = undefined;
      throw error;
    }
  }
}

/**
 * Opens a model folder for its weights alone: a tokenizer takes tens of megabytes.
 *
 * @throws BaseModelDamagedError the configuration is missing or malformed, or no weights are there
 * @throws BaseModelUnsupportedError it is of another family, or has options that the engine lacks
 * @throws BaseModelTooLargeError
 */
export async function openModelFolder(
  directory: string,
  { maxParams }: OpenBaseModelOptions = {},
): Promise<ModelFolder> {
  const config = await readLlamaConfig(directory, maxParams);
  // Missing weights are reported before a job starts with them.
  await listWeightFiles(directory);
  return new ModelFolder(directory, config);
}
