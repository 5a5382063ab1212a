import { createReadStream } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

import {
  LocalArtifactStore,
  StorageUnavailableError,
  StoredFileCorruptError,
  StoredFileMissingError,
  type TempFolder,
} from '@hone/artifacts';
import { SingleFlight } from '@hone/database';
import { ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE, EngineError, type Manifest, readManifest } from '@hone/engine';

import { AdapterError, corrupt, notLoaded } from './adapter.errors.js';
import type { Adapter } from './adapter.js';

/** Files of an adapter in PEFT's layout; a server needs no others of a checkpoint. */
const FILES = [ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE];
const KEY = 'lora';
/** An adapter that no process has touched for this long is in no server. Longer than several reconciliations. */
const UNUSED_MS = 600_000;
/** No copy takes this long: what is unfinished was left by a process that ended. */
const UNFINISHED_MS = 3_600_000;

/**
 * The folder from which servers read adapters, for all gateways and servers that share it. Adapters appear whole, by a
 * rename. Each process touches the folders of those that it has loaded, so that any process can remove the others.
 */
export class AdapterFolder {
  private readonly root: string;
  private readonly store: LocalArtifactStore;
  private readonly copies = new SingleFlight<void>();

  /** @param root made at the first adapter */
  constructor(root: string) {
    this.root = resolve(root);
    this.store = new LocalArtifactStore(this.root);
  }

  /**
   * Copies an adapter out of the artifact store, unless it is there already.
   *
   * @returns its path on this machine
   * @throws AdapterError its bytes differ from the committed ones, it is no adapter, or the folder cannot be written
   */
  async put(adapter: Adapter): Promise<string> {
    const { name } = adapter;
    await (this.copies.get(name) ?? this.copies.start(name, () => this.copyIfAbsent(adapter)));
    return this.pathOf(name);
  }

  /** Keeps an adapter from being removed. */
  async touch(name: string): Promise<void> {
    const now = new Date();
    await utimes(this.pathOf(name), now, now).catch(() => undefined); // absent: the next load copies it again
  }

  /** Whether a process has it loaded, or had a short while ago. */
  async isUsed(name: string): Promise<boolean> {
    const found = await stat(this.pathOf(name)).catch(() => null);
    return found !== null && isRecent(found.mtime, UNUSED_MS);
  }

  /** Removes what no process uses, and what killed ones left unfinished. */
  async sweep(): Promise<void> {
    for (const [prefix, keptMs] of [
      [KEY, UNUSED_MS],
      ['tmp', UNFINISHED_MS],
    ] as const) {
      for await (const { uri, modifiedAt } of this.store.list(prefix)) {
        if (!isRecent(modifiedAt, keptMs)) await this.store.delete(uri);
      }
    }
  }

  private pathOf(name: string): string {
    return join(this.root, KEY, name);
  }

  private async copyIfAbsent(adapter: Adapter): Promise<void> {
    await this.touch(adapter.name);
    if (await this.isUsed(adapter.name)) return;
    try {
      await this.copy(adapter);
    } catch (error) {
      throw asAdapterError(error);
    }
  }

  private async copy({ name, checkpoint }: Adapter): Promise<void> {
    await checkpoint.hold();
    const source = await checkpoint.localPath();
    const manifest = await readManifest(source, checkpoint.manifestSha256);
    if (FILES.some((file) => hashIn(manifest, file) === null)) throw notLoaded('The checkpoint is not an adapter.');
    const temp = await this.store.createFolder();
    try {
      for (const file of FILES) await copyFile(source, file, hashIn(manifest, file), temp);
      await temp.commit(`${KEY}/${name}`).catch(async (error: unknown) => {
        // Another process was faster: the same name is the same bytes.
        if (!(await this.isUsed(name))) throw error;
      });
    } finally {
      await temp.discard();
    }
  }
}

async function copyFile(source: string, file: string, sha256: string | null, temp: TempFolder): Promise<void> {
  const copied = await temp.put(file, createReadStream(join(source, file)));
  if (copied.sha256 !== sha256) throw corrupt();
}

const hashIn = ({ files }: Manifest, file: string): string | null =>
  files.find(({ path }) => path === file)?.sha256 ?? null;

function asAdapterError(error: unknown): unknown {
  if (error instanceof AdapterError) return error;
  const isDamaged = error instanceof StoredFileMissingError || error instanceof StoredFileCorruptError;
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  if (isDamaged || isMissing || (error instanceof EngineError && error.code === 'storage.corrupt')) {
    return corrupt(error);
  }
  if (!(error instanceof StorageUnavailableError)) return error;
  const message = 'The adapter cannot be copied to its server at the moment.';
  return new AdapterError({ reason: 'not_loaded', message }, false, error);
}

const isRecent = (time: Date, withinMs: number): boolean => Date.now() - time.getTime() < withinMs;

/**
 * A path as the server sees it.
 *
 * @param pathMap folders as the gateway and as the server see them; of those that hold the path, the longest counts
 */
export function pathAtServer(path: string, pathMap: readonly (readonly [string, string])[]): string {
  const [found] = pathMap
    .map(([here, there]) => ({ here: resolve(here), there: there.replace(/\/+$/, '') }))
    .filter(({ here }) => path === here || path.startsWith(here.endsWith(sep) ? here : here + sep))
    .sort((left, right) => right.here.length - left.here.length);
  return found === undefined ? path : found.there + path.slice(found.here === sep ? 0 : found.here.length);
}
