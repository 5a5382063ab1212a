import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { isOwnerAlive, newOwnerName } from './journal-owner.js';

const SUFFIX = '.journal';
const PROBE_BYTES = 65_536;

/** The folder of one process's journal, and the adoption of the folders of dead processes. */
export class JournalHome {
  private nextSegment = 1;

  private constructor(
    /** Parent of the folders of all processes. */
    private readonly journals: string,
    readonly path: string,
  ) {}

  static async create(journals: string): Promise<JournalHome> {
    const path = join(journals, newOwnerName());
    await mkdir(journals, { recursive: true, mode: 0o700 });
    await mkdir(path, { mode: 0o700 });
    return new JournalHome(journals, path);
  }

  newSegmentPath(): string {
    return join(this.path, `${String(this.nextSegment++).padStart(12, '0')}${SUFFIX}`);
  }

  /** Syncs the directory, so that the names of new files are on the disk too. */
  async syncNames(): Promise<void> {
    const folder = await open(this.path, 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Heartbeat. @throws the folder was adopted by another process */
  async beat(): Promise<void> {
    const now = new Date();
    await utimes(this.path, now, now);
  }

  /** @throws the folder cannot be written */
  async probe(): Promise<void> {
    const path = join(this.path, 'probe');
    await writeFile(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    await rm(path);
  }

  /**
   * Moves the folders of dead processes into our own, with folders that they had adopted. A rename has one winner.
   *
   * @returns paths of their segments
   */
  async adopt(): Promise<string[]> {
    const segments: string[] = [];
    for (const entry of await readdir(this.journals, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === basename(this.path)) continue;
      const orphan = join(this.journals, entry.name);
      const adopted = join(this.path, entry.name);
      try {
        if (isOwnerAlive(entry.name, (await stat(orphan)).mtimeMs, Date.now())) continue;
        await rename(orphan, adopted);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // another process was first
        throw error;
      }
      const files = (await readdir(adopted, { recursive: true })).filter((name) => name.endsWith(SUFFIX));
      if (files.length) segments.push(...files.sort().map((name) => join(adopted, name)));
      else await rm(adopted, { recursive: true });
    }
    return segments;
  }

  /** Removes an empty folder at the end; one with records is left to the next process that starts. */
  async release(hasRecords: boolean): Promise<void> {
    if (hasRecords) await rename(this.path, join(this.journals, `free-${randomBytes(8).toString('hex')}`));
    else await rm(this.path, { recursive: true });
  }

  /** Removes the folder of a removed segment if it is empty. */
  async prune(segmentFolder: string): Promise<void> {
    if (segmentFolder !== this.path) await rmdir(segmentFolder).catch(() => undefined); // it holds other segments
  }
}
