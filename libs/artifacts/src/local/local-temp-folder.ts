import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { FolderFile, PutOptions, StoredFolder, TempFolder } from '../artifact-store.js';
import { pathOfKey, pathOfNewKey, uriOf } from './key.js';
import { removeTree } from './remove-tree.js';
import { withStorageFaults } from './storage-faults.js';
import { syncParents, syncTree } from './sync.js';
import { writeFileSynced } from './write-file.js';

/** A folder under `tmp` of a local store. */
export class LocalTempFolder implements TempFolder {
  private isCommitted = false;
  /** Files that were hashed while they were written. */
  private readonly files = new Map<string, FolderFile>();

  constructor(
    private readonly root: string,
    readonly path: string,
  ) {}

  async put(
    name: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    { maxBytes = Infinity }: PutOptions = {},
  ): Promise<FolderFile> {
    const path = pathOfKey(this.path, name);
    return withStorageFaults(async () => {
      const file = { path: name, ...(await writeFileSynced(path, content, maxBytes)) };
      this.files.set(name, file);
      return file;
    });
  }

  async commit(key: string): Promise<StoredFolder> {
    const target = pathOfNewKey(this.root, key);
    return withStorageFaults(async () => {
      const files: FolderFile[] = [];
      for (const path of await syncTree(this.path)) files.push(this.files.get(path) ?? (await fileOf(this.path, path)));
      await mkdir(dirname(target), { recursive: true });
      await rename(this.path, target); // fails on a folder that holds anything
      this.isCommitted = true;
      await syncParents(target, this.root);
      return { uri: uriOf(key), bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files };
    });
  }

  async discard(): Promise<void> {
    if (!this.isCommitted) await removeTree(this.path, `${this.path}-discarded`);
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
