import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isModelFolder } from '@hone/engine';

/** Ids of the models in a directory: `<name>`, or `<owner>/<name>`. A directory that is not there has none. */
export async function listModelFolders(directory: string): Promise<string[]> {
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
