import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

import { ArtifactTooLargeError } from '../artifact.errors.js';

const SLICE_BYTES = 1_048_576;

/**
 * Writes a new file and syncs it; returns its size and hash.
 *
 * @throws ArtifactTooLargeError more than `maxBytes`; the bytes written so far stay
 */
export async function writeFileSynced(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'wx');
  try {
    for await (const chunk of content instanceof Uint8Array ? slicesOf(content) : content) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ArtifactTooLargeError(maxBytes);
      hash.update(chunk);
      await writeAll(handle, chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Hashing a large buffer at once would block the event loop. */
function* slicesOf(content: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < content.length; at += SLICE_BYTES) yield content.subarray(at, at + SLICE_BYTES);
}

/** A file system that is nearly full may write a part without an error. */
async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at, chunk.length - at)).bytesWritten;
}
