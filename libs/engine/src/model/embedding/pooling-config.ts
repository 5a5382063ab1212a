import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';

import { isJsonObject } from '@hone/json';

import { findJsonFields, findText, type JsonFields, shownValue } from '../config/json-fields.js';
import { BaseModelDamagedError, BaseModelUnsupportedError } from '../config/model.errors.js';

/** How the vectors of a text's tokens become one: their mean, or that of the first token. */
export type Pooling = 'mean' | 'cls';

export const POOLINGS: readonly Pooling[] = ['mean', 'cls'];

const MODULES_FILE = 'modules.json';
/** Where Sentence Transformers writes it. */
const POOLING_FOLDER = '1_Pooling';
/** What each flag of `1_Pooling/config.json` means; null: the engine does not compute it. */
const FLAGS: Readonly<Record<string, Pooling | null>> = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_max_tokens: null,
  pooling_mode_mean_sqrt_len_tokens: null,
  pooling_mode_weightedmean_tokens: null,
  pooling_mode_lasttoken: null,
};

/**
 * Reads how a folder in the layout of Sentence Transformers pools.
 *
 * @returns null: it does not say
 * @throws BaseModelDamagedError a file is malformed
 * @throws BaseModelUnsupportedError it pools in another way, or has further layers
 */
export async function findPooling(directory: string): Promise<Pooling | null> {
  const fields = await findJsonFields(await poolingFile(directory));
  return fields && toPooling(fields);
}

/** Writes how a folder pools, instead of what it says. */
export async function writePooling(directory: string, pooling: Pooling): Promise<void> {
  const path = await poolingFile(directory);
  await mkdir(dirname(path), { recursive: true });
  const flags = Object.entries(FLAGS).map(([name, meaning]) => [name, meaning === pooling]);
  await writeFile(path, JSON.stringify(Object.fromEntries(flags)));
}

const poolingFile = async (directory: string): Promise<string> =>
  join(directory, await findPoolingFolder(directory), 'config.json');

/** Folder of the pooling layer: as the list of modules names it, else the usual one. */
export async function findPoolingFolder(directory: string): Promise<string> {
  const path = join(directory, MODULES_FILE);
  const text = await findText(path);
  if (text === null) return POOLING_FOLDER;
  let pooling = POOLING_FOLDER;
  for (const { type, path: folder } of toModules(path, text)) {
    if (type === 'Pooling') pooling = folder;
    else if (type !== 'Transformer' && type !== 'Normalize') {
      throw new BaseModelUnsupportedError(
        path,
        `it has the layer ${shownValue(type)}, which the engine does not compute`,
      );
    }
  }
  return pooling;
}

/** The layers in order, by the last name of their class. */
function toModules(path: string, text: string): { type: string; path: string }[] {
  const fail = (): never => {
    throw new BaseModelDamagedError(path, 'it is no list of modules');
  };
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return fail();
  }
  if (!Array.isArray(list)) return fail();
  return list.map((item: unknown) => {
    const { type, path: folder } = isJsonObject(item) ? item : {};
    if (typeof type !== 'string' || typeof folder !== 'string' || leadsOut(folder)) return fail();
    return { type: type.split('.').at(-1) as string, path: folder };
  });
}

const leadsOut = (folder: string): boolean => isAbsolute(folder) || /^\.\.($|[\\/])/.test(normalize(folder));

function toPooling(fields: JsonFields): Pooling {
  const named = fields.get('pooling_mode');
  if (named === 'mean' || named === 'cls') return named;
  const chosen = Object.keys(FLAGS).filter((name) => fields.flag(name, false));
  const pooling = chosen.length === 1 ? FLAGS[chosen[0] as string] : null;
  if (pooling) return pooling;
  const found = chosen.length === 0 ? 'no way of pooling' : chosen.join(' and ');
  throw new BaseModelUnsupportedError(
    fields.file,
    `it has ${found}, expected one of pooling_mode_mean_tokens and pooling_mode_cls_token`,
  );
}
