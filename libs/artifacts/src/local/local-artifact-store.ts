import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, opendir, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

import { StoredFileCorruptError, StoredFileMissingError } from '../artifact.errors.js';
import type { ArtifactStore, PutOptions, StoredFile, TempFolder } from '../artifact-store.js';
import { pathOfKey, pathOfNewKey, pathOfUri, TEMP, uriOf } from './key.js';
import { LocalTempFolder } from './local-temp-folder.js';
import { removeTree } from './remove-tree.js';
import { asStorageFault, codeOf, withStorageFaults } from './storage-faults.js';
import { syncParents } from './sync.js';
import { writeFileSynced } from './write-file.js';

/** Error codes of a path that names no file of the store. */
const ABSENT = new Set(['ENOENT', 'EISDIR', 'ENOTDIR']);

/** A store in one folder of this machine, or of a volume that every process mounts. */
export class LocalArtifactStore implements ArtifactStore {
  private readonly root: string;

  /** @param root made at the first write when it is missing */
  constructor(root: string) {
    this.root = resolve(root);
  }

  async put(
    key: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    { maxBytes = Infinity }: PutOptions = {},
  ): Promise<StoredFile> {
    const target = pathOfNewKey(this.root, key);
    return withStorageFaults(async () => {
      const temp = await this.newTempPath();
      try {
        const written = await writeFileSynced(temp, content, maxBytes);
        await mkdir(dirname(target), { recursive: true });
        await link(temp, target); // unlike a rename, never over a file that is there
        await syncParents(target, this.root);
        return { uri: uriOf(key), ...written };
      } finally {
        await unlink(temp).catch(() => undefined); // the collector finds it again
      }
    });
  }

  async createFolder(): Promise<TempFolder> {
    return withStorageFaults(async () => {
      const path = await this.newTempPath();
      await mkdir(path);
      return new LocalTempFolder(this.root, path);
    });
  }

  async open(uri: string): Promise<Readable> {
    const path = pathOfUri(this.root, uri);
    return this.reading(uri, async () => {
      const handle = await open(path, 'r');
      if ((await handle.stat()).isFile()) return handle.createReadStream();
      await handle.close();
      throw new StoredFileMissingError(uri);
    });
  }

  async read(uri: string, sha256: string): Promise<Buffer> {
    const path = pathOfUri(this.root, uri);
    const content = await this.reading(uri, () => readFile(path));
    if (createHash('sha256').update(content).digest('hex') !== sha256) throw new StoredFileCorruptError(uri);
    return content;
  }

  async stat(uri: string): Promise<{ readonly bytes: number } | null> {
    const path = pathOfUri(this.root, uri);
    try {
      return { bytes: await bytesOf(path) };
    } catch (error) {
      if (ABSENT.has(codeOf(error) ?? '')) return null;
      throw asStorageFault(error);
    }
  }

  async localPath(uri: string): Promise<string> {
    const path = pathOfUri(this.root, uri);
    await this.reading(uri, () => stat(path));
    return path;
  }

  async delete(uri: string): Promise<void> {
    const path = pathOfUri(this.root, uri);
    await withStorageFaults(async () => removeTree(path, await this.newTempPath()));
  }

  async *list(prefix: string): AsyncIterable<{ readonly uri: string; readonly modifiedAt: Date }> {
    const folder = pathOfKey(this.root, prefix);
    let entries;
    try {
      entries = await opendir(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw asStorageFault(error);
    }
    for await (const { name } of entries) {
      const found = await stat(join(folder, name)).catch(() => null); // gone in the meantime
      if (found) yield { uri: uriOf(`${prefix}/${name}`), modifiedAt: found.mtime };
    }
  }

  async ping(): Promise<void> {
    await withStorageFaults(async () => {
      const probe = await this.newTempPath();
      await writeFileSynced(probe, Buffer.from('probe'), Infinity);
      await unlink(probe);
    });
  }

  private async newTempPath(): Promise<string> {
    const folder = join(this.root, TEMP);
    await mkdir(folder, { recursive: true });
    return join(folder, randomUUID());
  }

  private async reading<T>(uri: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw ABSENT.has(codeOf(error) ?? '') ? new StoredFileMissingError(uri, error) : asStorageFault(error);
    }
  }
}

async function bytesOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const name of await readdir(path)) bytes += await bytesOf(join(path, name));
  return bytes;
}
