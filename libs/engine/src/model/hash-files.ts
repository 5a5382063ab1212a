import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';

const CHUNK_BYTES = 1 << 18;

/** SHA-256 (hex) of one file's bytes, through one small buffer. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** SHA-256 (hex) over names and contents: the same for the same files in another folder. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${basename(path)} ${await hashFile(path)}\n`);
  return hash.digest('hex');
}
