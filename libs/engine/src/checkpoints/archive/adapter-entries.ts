import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ReadEntry } from 'tar';

import { ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE } from '../open-adapter.js';
import { ArchiveError } from './archive.errors.js';
import { useOf } from './archive-entry.js';

const MAX_CONFIG_BYTES = 1_048_576;
const MAX_ENTRIES = 1_000;
const MAX_IGNORED = 100;
const PICKLE = 'adapter_model.bin';

/** The files of an adapter that were found in an archive so far. */
export class AdapterEntries {
  private readonly ignored: string[] = [];
  /** File of the adapter -> folder that it was in. */
  private readonly folders = new Map<string, string>();
  private count = 0;

  /** @param directory gets the files, under their own names only */
  constructor(private readonly directory: string) {}

  /** Resolves when the entry's content was read. @throws ArchiveError */
  async take(entry: ReadEntry): Promise<void> {
    this.count++;
    if (this.count > MAX_ENTRIES) throw new ArchiveError(`The archive has more than ${MAX_ENTRIES} entries`);
    const use = useOf(entry);
    if (use.use !== 'store') {
      if (use.use === 'ignore' && this.ignored.length < MAX_IGNORED) this.ignored.push(use.path);
      entry.resume();
      return;
    }
    const { name, folder } = use;
    if (this.folders.has(name)) throw new ArchiveError('The file is in the archive twice', name);
    if (name === ADAPTER_CONFIG_FILE && entry.size > MAX_CONFIG_BYTES) {
      throw new ArchiveError(`The file is larger than ${MAX_CONFIG_BYTES} bytes`, name);
    }
    this.folders.set(name, folder);
    await writeFile(join(this.directory, name), entry, { flag: 'wx' });
  }

  /** Paths of the other files. @throws ArchiveError the adapter is not whole */
  finish(): string[] {
    if (!this.folders.has(ADAPTER_CONFIG_FILE)) throw new ArchiveError('The file is missing', ADAPTER_CONFIG_FILE);
    if (!this.folders.has(ADAPTER_WEIGHTS_FILE)) {
      const hasPickle = this.ignored.some((path) => path === PICKLE || path.endsWith(`/${PICKLE}`));
      const hint = hasPickle ? `; ${PICKLE} is a pickle, which is not read: save with safe_serialization=True` : '';
      throw new ArchiveError(`The file is missing${hint}`, ADAPTER_WEIGHTS_FILE);
    }
    if (new Set(this.folders.values()).size > 1) {
      throw new ArchiveError(`${ADAPTER_CONFIG_FILE} and ${ADAPTER_WEIGHTS_FILE} are in different folders`);
    }
    return this.ignored;
  }
}
