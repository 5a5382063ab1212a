import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type DecoderShape, readDecoderShape } from './config/decoder-shape.js';
import type { LlamaConfig } from './config/llama-config.js';
import { BaseModelDamagedError } from './config/model.errors.js';
import { ModelFolder, type OpenBaseModelOptions, openModelFolder } from './model-folder.js';
import { ChatTemplate } from './template/chat-template.js';
import { readChatTemplateSource } from './template/chat-template-source.js';
import { ModelTokenizer } from './tokenizer/tokenizer.js';

/** A model folder in the Hugging Face layout: configuration and tokenizer are read, the weights on demand. */
export class BaseModel extends ModelFolder {
  constructor(
    directory: string,
    config: LlamaConfig,
    readonly tokenizer: ModelTokenizer,
    readonly chatTemplate: ChatTemplate,
  ) {
    super(directory, config);
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
  const { config } = await openModelFolder(directory, options);
  const tokenizer = await readTokenizer(directory, config);
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
