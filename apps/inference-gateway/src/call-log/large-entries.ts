import { mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Up to so many UTF-16 units an entry stands in the journal itself, whose records are small. */
const MAX_JOURNALLED_LENGTH = 65_536;
const IN_FILE = '{"isInFile":true}';

/**
 * Entries that are too large for the journal: a file each, named by the usage record. The file is whole before the
 * record is journalled, and goes after the record is committed.
 */
export class LargeEntries {
  private hasFolder = false;

  /** @param isDurable files survive a crashed machine as well */
  constructor(
    private readonly folder: string,
    private readonly isDurable: boolean,
  ) {}

  static isLarge(entry: string): boolean {
    return entry.length > MAX_JOURNALLED_LENGTH;
  }

  static isInFile(journalled: string): boolean {
    return journalled === IN_FILE;
  }

  /** @returns what the journal has in place of the entry */
  async put(uid: string, entry: string): Promise<string> {
    if (!this.hasFolder) await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.hasFolder = true;
    const file = await open(this.pathOf(uid), 'w', 0o600);
    try {
      await file.writeFile(entry);
      if (this.isDurable) await file.datasync();
    } finally {
      await file.close();
    }
    return IN_FILE;
  }

  /** @returns the entry; null: the file is gone, so the record was committed before */
  async get(uid: string): Promise<string | null> {
    return readFile(this.pathOf(uid), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }

  /** The record is committed. */
  async remove(uid: string): Promise<void> {
    await unlink(this.pathOf(uid)).catch(() => undefined); // another process removed it first
  }

  private pathOf(uid: string): string {
    return join(this.folder, `${uid}.json`);
  }
}
