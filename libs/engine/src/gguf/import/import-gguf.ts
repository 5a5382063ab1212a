import { constants } from 'node:fs';
import { copyFile, link, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { GgufFile } from '../../gguf-reader/index.js';
import { writeDurably } from '../../model/weights/durable-file.js';
import { GGUF_FILE } from '../../model/weights/gguf-weights.js';
import { toConfigJson } from './config-json.js';
import { GgufFields } from './gguf-fields.js';
import { GgufVocabulary } from './gguf-vocabulary.js';
import { toTokenizerJson } from './tokenizer-json.js';

/**
 * Makes a model folder in the Hugging Face layout of a GGUF file: configuration, tokenizer and chat template from its
 * metadata, and the file itself as `model.gguf`, by a hard link where that is possible.
 *
 * @param directory new, or empty
 * @throws GgufDamagedError, GgufUnreadableError, BaseModelDamagedError
 * @throws BaseModelUnsupportedError an architecture that has no configuration here
 * @throws TokenizerUnsupportedError
 */
export async function importGguf(path: string, directory: string): Promise<void> {
  const file = await GgufFile.open(path, true);
  try {
    const fields = new GgufFields(file);
    const vocabulary = new GgufVocabulary(fields);
    const template = fields.text('tokenizer.chat_template');
    const files = {
      'config.json': await toConfigJson(fields, vocabulary),
      'generation_config.json': { bos_token_id: vocabulary.special('bos'), eos_token_id: vocabulary.endTokens() },
      'tokenizer.json': toTokenizerJson(fields, vocabulary),
      'tokenizer_config.json': toTokenizerConfig(vocabulary),
    };
    await mkdir(directory, { recursive: true });
    for (const [name, content] of Object.entries(files)) await write(directory, name, JSON.stringify(content));
    if (template !== null) await write(directory, 'chat_template.jinja', template);
  } finally {
    await file.close();
  }
  await linkOrCopy(await realpath(path), join(directory, GGUF_FILE));
}

function toTokenizerConfig(vocabulary: GgufVocabulary): object {
  const names = { bos_token: 'bos', eos_token: 'eos', pad_token: 'padding', unk_token: 'unknown' };
  const entries = Object.entries(names).map(([name, key]) => [name, vocabulary.specialText(key)] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== null));
}

async function write(directory: string, name: string, text: string): Promise<void> {
  await writeDurably(join(directory, name), [Buffer.from(text, 'utf8')]);
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // Another file system, or one without hard links.
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}
