import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { StoredWeights, WeightForm } from '../blocks/index.js';
import type { Weights } from '../tensor.js';

import { readChatTemplateSource } from './chat-template-source.js';
import { ChatTemplate } from './chat-template.js';
import { type DecoderShape, readDecoderShape } from './decoder-shape.js';
import { hashFiles } from './hash-files.js';
import type { LlamaConfig } from './llama-config.js';
import { BaseModelDamagedError } from './model.errors.js';
import { readLlamaConfig } from './read-config.js';
import { ModelTokenizer } from './tokenizer.js';
import { weightsInForm } from './weights-in-form.js';
import { listWeightFiles, loadStoredWeights, loadWeights } from './weights.js';

export interface OpenBaseModelOptions {
  /** How many parameters the model may have. Default 2e9. */
  readonly maxParams?: number;
}

/** A model folder in the Hugging Face layout: configuration and tokenizer are read, the weights on demand. */
export class BaseModel {
  private digestOnce: Promise<string> | undefined;

  constructor(
    readonly directory: string,
    readonly config: LlamaConfig,
    readonly tokenizer: ModelTokenizer,
    readonly chatTemplate: ChatTemplate,
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
      // A later call may find the folder repaired.
      this.digestOnce = undefined;
      throw error;
    }
  }
}

/**
 * Opens a model folder.
 *
 * @throws BaseModelDamagedError the folder or one of its files is missing or malformed
 * @throws BaseModelUnsupportedError it is of another family, or has options that the engine lacks
 * @throws TokenizerUnsupportedError its tokenizer is no byte-pair encoding
 * @throws BaseModelTooLargeError
 */
export async function openBaseModel(directory: string, options: OpenBaseModelOptions = {}): Promise<BaseModel> {
  const config = await readLlamaConfig(directory, options.maxParams);
  const tokenizer = await readTokenizer(directory, config);
  // Missing weights are reported before a job starts with them.
  await listWeightFiles(directory);
  const source = await readChatTemplateSource(directory);
  return new BaseModel(directory, config, tokenizer, new ChatTemplate(source, tokenizer));
}

/** A base model that a server computes: what planning needs of it. */
export interface RemoteModel {
  readonly config: DecoderShape;
  readonly chatTemplate: ChatTemplate;
}

/**
 * Opens the folder of a base model that a server computes: configuration and tokenizer, no weights.
 *
 * @throws BaseModelDamagedError the folder or one of its files is missing or malformed
 * @throws BaseModelUnsupportedError an adapter of this architecture could not be checked
 * @throws TokenizerUnsupportedError its tokenizer is no byte-pair encoding
 */
export async function openRemoteModel(directory: string): Promise<RemoteModel> {
  const config = await readDecoderShape(directory);
  const tokenizer = await readTokenizer(directory, config);
  return { config, chatTemplate: new ChatTemplate(await readChatTemplateSource(directory), tokenizer) };
}

async function readTokenizer(directory: string, { vocabSize }: DecoderShape): Promise<ModelTokenizer> {
  const tokenizer = await ModelTokenizer.read(directory);
  if (tokenizer.vocabSize <= vocabSize) return tokenizer;
  const reason = `the tokenizer has ${tokenizer.vocabSize} tokens, config.json allows ${vocabSize}`;
  throw new BaseModelDamagedError(join(directory, 'tokenizer.json'), reason);
}

/** Whether there is a model folder at this path. */
export async function isModelFolder(directory: string): Promise<boolean> {
  try {
    return (await stat(join(directory, 'config.json'))).isFile();
  } catch {
    return false;
  }
}
