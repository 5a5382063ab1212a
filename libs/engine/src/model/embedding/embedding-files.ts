import { join } from 'node:path';

import { BaseModelDamagedError } from '../config/model.errors.js';
import { GRAPHS, missingGraph } from './embedding-folder.js';
import { findPoolingFolder } from './pooling-config.js';

/** Brings a file of the model into the folder. @returns whether there is one */
export type TakeFile = (file: string) => Promise<boolean>;

const OPTIONAL_FILES = ['tokenizer_config.json', 'modules.json', 'sentence_bert_config.json'];

/**
 * Brings the files that an embedding model needs, beside its `config.json`, into a folder: not its weights in other
 * formats.
 *
 * @throws BaseModelDamagedError one is missing
 */
export async function takeEmbeddingFiles(folder: string, take: TakeFile): Promise<void> {
  if (!(await take('tokenizer.json'))) {
    throw new BaseModelDamagedError(join(folder, 'tokenizer.json'), 'the file is missing');
  }
  for (const file of OPTIONAL_FILES) await take(file);
  // Where the list of modules says.
  await take(`${await findPoolingFolder(folder)}/config.json`);
  for (const graph of GRAPHS) {
    if (!(await take(graph))) continue;
    // Weights beyond the 2 GB of a protobuf message are in a file of their own.
    await take(`${graph}_data`);
    return;
  }
  throw missingGraph(folder);
}
