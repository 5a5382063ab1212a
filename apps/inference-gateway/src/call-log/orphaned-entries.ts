import { createReadStream } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A record follows its file within milliseconds: no request is between the two for so long. */
const MIN_AGE_MS = 3_600_000;
const FILE = /^([0-9a-f-]{36})\.json$/;
const UID_LENGTH = 36;

/**
 * Removes files of entries whose process died before it journalled the record: no answer was acknowledged, and nobody
 * will ask for them. A file stays while any journal names it, also one that waits for its database, or a record that was
 * set aside.
 *
 * @param folder of the files
 * @param journal folder of all journals
 * @returns how many
 */
export async function removeOrphanedEntries(folder: string, journal: string, nowMs = Date.now()): Promise<number> {
  const orphans = await oldEntries(folder, nowMs);
  if (orphans.size === 0) return 0;
  for (const entry of await readdir(journal, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await keepNamed(join(entry.parentPath, entry.name), orphans);
    if (orphans.size === 0) return 0;
  }
  for (const uid of orphans) await unlink(join(folder, `${uid}.json`)).catch(() => undefined); // another process did it
  return orphans.size;
}

/** Ids of the records that files are named by. */
async function oldEntries(folder: string, nowMs: number): Promise<Set<string>> {
  const names = await readdir(folder).catch(() => [] as string[]); // before the first entry there is no folder
  const old = new Set<string>();
  for (const name of names) {
    const uid = FILE.exec(name)?.[1];
    const file = uid === undefined ? null : await stat(join(folder, name)).catch(() => null);
    if (uid !== undefined && file !== null && nowMs - file.mtimeMs > MIN_AGE_MS) old.add(uid);
  }
  return old;
}

/** @throws Error the file is there and cannot be read: then nothing may be removed */
async function keepNamed(path: string, orphans: Set<string>): Promise<void> {
  let tail = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'latin1' })) {
      const text = tail + (chunk as string);
      for (const uid of orphans) if (text.includes(uid)) orphans.delete(uid);
      tail = text.slice(-UID_LENGTH);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // its records are committed
  }
}
