import { mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import type { TextParts } from './journalled-entry.js';

/** Up to about so many bytes an entry stands in the journal itself, whose records are small. */
const MAX_JOURNALLED_LENGTH = 65_536;
const IN_FILE: TextParts = ['{"isInFile":true}'];
const IN_FILE_BYTES = Buffer.from(IN_FILE.join(''));

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

  static isLarge(entry: TextParts): boolean {
    return entry.reduce((length, part) => length + part.length, 0) > MAX_JOURNALLED_LENGTH;
  }

  static isInFile(journalled: Buffer): boolean {
    return journalled.length === IN_FILE_BYTES.length && journalled.equals(IN_FILE_BYTES);
  }

  /** @returns what the journal has in place of the entry */
  async put(uid: string, entry: TextParts): Promise<TextParts> {
    if (!this.hasFolder) await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.hasFolder = true;
    const file = await open(this.pathOf(uid), 'w', 0o600);
    try {
      for (const part of entry) await file.appendFile(part);
      if (this.isDurable) await file.datasync();
    } finally {
      await file.close();
    }
    return IN_FILE;
  }

  /** @returns the entry; null: the file is gone, so the record was committed before */
  async get(uid: string): Promise<Buffer | null> {
    return readFile(this.pathOf(uid)).catch((error: NodeJS.ErrnoException) => {
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
