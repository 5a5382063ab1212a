import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { FolderFile, StoredFolder, TempFolder } from '../artifact-store.js';
import { pathOfNewKey, uriOf } from './key.js';
import { withStorageFaults } from './storage-faults.js';
import { syncParents, syncTree } from './sync.js';

/** A folder under `tmp` of a local store. */
export class LocalTempFolder implements TempFolder {
  #isCommitted = false;

  constructor(
    private readonly root: string,
    readonly path: string,
  ) {}

  async commit(key: string): Promise<StoredFolder> {
    const target = pathOfNewKey(this.root, key);
    return withStorageFaults(async () => {
      const files: FolderFile[] = [];
      for (const path of await syncTree(this.path)) files.push(await fileOf(this.path, path));
      await mkdir(dirname(target), { recursive: true });
      await rename(this.path, target); // fails on a folder that holds anything
      this.#isCommitted = true;
      await syncParents(target, this.root);
      return { uri: uriOf(key), bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files };
    });
  }

  async discard(): Promise<void> {
    if (!this.#isCommitted) await rm(this.path, { recursive: true, force: true });
  }
}

async function fileOf(folder: string, path: string): Promise<FolderFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path, bytes, sha256: hash.digest('hex') };
}
