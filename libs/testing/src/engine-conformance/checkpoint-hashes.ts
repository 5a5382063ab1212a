import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { StoredPart } from '@hone/engine';

/** SHA-256 of each file of a checkpoint but the manifest, which lists them. */
export async function hashes({ uri }: StoredPart): Promise<Map<string, string>> {
  const directory = fileURLToPath(uri);
  const names = (await readdir(directory)).filter((name) => name !== 'manifest.json').sort();
  const entries = names.map(async (name): Promise<[string, string]> => {
    const bytes = await readFile(join(directory, name));
    return [name, createHash('sha256').update(bytes).digest('hex')];
  });
  return new Map(await Promise.all(entries));
}
