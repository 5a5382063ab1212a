import { isAbsolute, join } from 'node:path';

import { isModelFolder } from './base-model.js';
import { BaseModelIdError, BaseModelNotFoundError } from './config/model.errors.js';
import { HubFileMissingError, HubUnavailableError } from './hub/hub.errors.js';
import type { HubClient } from './hub/hub-client.js';
import { fetchHubModel } from './hub/hub-model.js';

/** Where base models are searched, in order: folders, then a hub. */
export interface BaseModelSources {
  /** Folder of the models that come with this repository, by name. */
  readonly bundledDir: string;
  /** The user's own models: `<modelsDir>/<id>`. Null: none (HONE_MODELS_DIR is not set). */
  readonly modelsDir?: string | null;
  /** Asked when no folder has the model. Null: never. */
  readonly hub?: HubClient | null;
  /** Where models from the hub are kept. Null: the hub is not asked. */
  readonly cacheDir?: string | null;
  /** Accept absolute paths as ids: for command lines, never for what came over the network. Default false. */
  readonly allowPaths?: boolean;
}

/** Ids are one or two names, as the hub writes them; a name neither begins with a dot nor holds two in a row. */
const ID = /^(?!.*\.\.)[A-Za-z0-9_][\w.-]{0,95}(\/[A-Za-z0-9_][\w.-]{0,95})?$/;

/** Whether a text can name a model. One that can does not lead out of a folder. */
export const isModelId = (text: string): boolean => ID.test(text);

/**
 * Finds the folder of a base model: among the bundled models, in the models folder, in the cache, at the hub.
 *
 * @param id `hone-tiny`, `my-model` or `owner/name`
 * @param signal ends a download
 * @throws BaseModelIdError the id cannot name a model
 * @throws BaseModelNotFoundError it is nowhere; says where it was looked for, and if the hub could not be reached
 */
export async function findBaseModel(id: string, sources: BaseModelSources, signal?: AbortSignal): Promise<string> {
  if (sources.allowPaths && isAbsolute(id)) {
    if (await isModelFolder(id)) return id;
    throw new BaseModelNotFoundError(id, 'there is no config.json in this folder');
  }
  if (!isModelId(id)) throw new BaseModelIdError(id);
  for (const folder of [sources.bundledDir, sources.modelsDir, sources.cacheDir]) {
    const directory = folder && join(folder, ...id.split('/'));
    if (directory && (await isModelFolder(directory))) return directory;
  }
  const missing = sources.modelsDir ? 'the models folder does not have it' : 'no models folder is configured';
  if (!sources.hub || !sources.cacheDir) throw new BaseModelNotFoundError(id, `${missing}, and no hub is configured`);
  try {
    return await fetchHubModel(id, sources.hub, sources.cacheDir, { signal });
  } catch (error) {
    if (error instanceof HubFileMissingError) {
      throw new BaseModelNotFoundError(id, `${missing}, nor does the hub (${error.file})`, { cause: error });
    }
    if (!(error instanceof HubUnavailableError)) throw error;
    const reason = error.message.replace(/\.$/, '');
    throw new BaseModelNotFoundError(id, `${missing}, and the hub gave nothing (${reason})`, { cause: error });
  }
}
