import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { findJsonFields } from '../config/json-fields.js';
import { readLlamaConfig } from '../config/read-config.js';
import { takeEmbeddingFiles } from '../embedding/embedding-files.js';
import { isEmbeddingFolder } from '../embedding/embedding-folder.js';
import { shardNames, WEIGHTS_FILE, WEIGHTS_INDEX_FILE } from '../weights/weights.js';
import { HubFileMissingError } from './hub.errors.js';
import type { HubClient } from './hub-client.js';

interface FetchOptions {
  /** Ends the download, with its own reason as the error. */
  readonly signal?: AbortSignal;
  /** How many parameters a model may have that is to run in this engine. Undefined: it runs elsewhere. */
  readonly maxParams?: number;
}

const CONFIG_FILE = 'config.json';
const OPTIONAL_FILES = ['generation_config.json', 'tokenizer_config.json', 'chat_template.jinja'];

/**
 * Brings a model from the hub into `<cacheDir>/<id>`, and gives that folder. Files that are there already are not
 * taken again. `config.json` gets its name last: where it is, the model is whole.
 *
 * @throws HubFileMissingError a file that every model needs is not there
 * @throws HubUnavailableError
 * @throws EngineError as {@link readLlamaConfig}: a model that cannot run is refused before its weights come
 */
export async function fetchHubModel(
  id: string,
  hub: HubClient,
  cacheDir: string,
  { signal, maxParams }: FetchOptions = {},
): Promise<string> {
  const directory = join(cacheDir, ...id.split('/'));
  const take = (file: string, as = file): Promise<void> => hub.download(id, file, join(directory, as), signal);
  // Another process may be fetching the same model.
  const pending = `.config-${randomUUID()}`;
  try {
    // First, because it is small and shows whether the model exists.
    await take(CONFIG_FILE, join(pending, CONFIG_FILE));
    const isEmbedding = await isEmbeddingFolder(join(directory, pending));
    if (maxParams !== undefined && !isEmbedding) await readLlamaConfig(join(directory, pending), maxParams);
    if (isEmbedding) await takeEmbeddingFiles(directory, (file) => unlessMissing(take(file)));
    else await takeModelFiles(directory, take);
    await rename(join(directory, pending, CONFIG_FILE), join(directory, CONFIG_FILE));
  } finally {
    await rm(join(directory, pending), { recursive: true, force: true });
  }
  return directory;
}

async function takeModelFiles(directory: string, take: (file: string) => Promise<void>): Promise<void> {
  await take('tokenizer.json');
  for (const file of OPTIONAL_FILES) await unlessMissing(take(file));
  if (!(await unlessMissing(take(WEIGHTS_FILE)))) await takeShards(directory, take);
}

async function takeShards(directory: string, take: (file: string) => Promise<void>): Promise<void> {
  await take(WEIGHTS_INDEX_FILE);
  const index = await findJsonFields(join(directory, WEIGHTS_INDEX_FILE));
  const listed = Object.values(index?.object('weight_map')?.values ?? {});
  for (const shard of shardNames(join(directory, WEIGHTS_INDEX_FILE), listed)) await take(shard);
}

/** @returns whether the file is there */
async function unlessMissing(download: Promise<void>): Promise<boolean> {
  try {
    await download;
    return true;
  } catch (error) {
    if (error instanceof HubFileMissingError && error.status === 404) return false;
    throw error;
  }
}
