import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** What was written. */
export interface WrittenFile {
  readonly bytes: number;
  /** SHA-256 of the content, hex. */
  readonly sha256: string;
}

/**
 * Writes a new file, or replaces what was in it, piece by piece; on return its bytes are on the disk.
 *
 * @param chunks taken one at a time: they need not be in memory together
 */
export async function writeDurably(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'w');
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}
