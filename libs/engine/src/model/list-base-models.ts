import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isModelFolder } from './base-model.js';
import type { BaseModelSources } from './find-base-model.js';

/** Ids of the base models in local folders, the bundled ones first. A hub may have more. */
export async function listBaseModels({ bundledDir, modelsDir }: BaseModelSources): Promise<string[]> {
  const own = modelsDir ? await listModelFolders(modelsDir) : [];
  return [...new Set([...(await listModelFolders(bundledDir)), ...own])];
}

/** Ids of the models in a directory: `<name>`, or `<owner>/<name>`. A missing directory has none. */
async function listModelFolders(directory: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of await foldersIn(directory)) {
    if (await isModelFolder(join(directory, name))) ids.push(name);
    else {
      for (const inner of await foldersIn(join(directory, name))) {
        if (await isModelFolder(join(directory, name, inner))) ids.push(`${name}/${inner}`);
      }
    }
  }
  return ids;
}

async function foldersIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
