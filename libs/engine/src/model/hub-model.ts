import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { findJsonFields } from './json-fields.js';
import { HubFileMissingError } from './hub.errors.js';
import type { HubClient } from './hub-client.js';
import { shardNames, WEIGHTS_FILE, WEIGHTS_INDEX_FILE } from './weights.js';

const OPTIONAL_FILES = ['generation_config.json', 'tokenizer_config.json', 'chat_template.jinja'];

/**
 * Brings a model from the hub into `<cacheDir>/<id>`, and gives that folder. Files that are there already are not
 * taken again. `config.json` gets its name last: where it is, the model is whole.
 *
 * @throws HubFileMissingError a file that every model needs is not there
 * @throws HubUnavailableError
 */
export async function fetchHubModel(
  id: string,
  hub: HubClient,
  cacheDir: string,
  signal?: AbortSignal,
): Promise<string> {
  const directory = join(cacheDir, ...id.split('/'));
  const take = (file: string, as = file): Promise<void> => hub.download(id, file, join(directory, as), signal);
  // Another process may be fetching the same model.
  const pending = `.config.json.${randomUUID()}.part`;
  try {
    // First, because it is small and shows whether the model exists.
    await take('config.json', pending);
    await take('tokenizer.json');
    for (const file of OPTIONAL_FILES) await unlessMissing(take(file));
    if (!(await unlessMissing(take(WEIGHTS_FILE)))) await takeShards(directory, take);
    await rename(join(directory, pending), join(directory, 'config.json'));
  } finally {
    await rm(join(directory, pending), { force: true });
  }
  return directory;
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
