import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';

import { newBytes } from '../runtime/spare-buffer.js';

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

/** Bytes of which the hash is taken while the next are read. */
const PART_BYTES = 1 << 20;

/** A file's bytes, alone in their buffer, with their SHA-256 (hex): read once, where both are wanted. */
export async function readHashed(path: string, allocate = newBytes): Promise<{ bytes: Uint8Array; sha256: string }> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = allocate(size);
    let [hashed, end] = [0, 0];
    while (end < size) {
      const reading = file.read(bytes, end, Math.min(PART_BYTES, size - end), end);
      hash.update(bytes.subarray(hashed, end));
      hashed = end;
      const { bytesRead } = await reading;
      // What it has lost since, nobody has hashed.
      if (bytesRead === 0) break;
      end += bytesRead;
    }
    hash.update(bytes.subarray(hashed, end));
    return { bytes: end === size ? bytes : bytes.slice(0, end), sha256: hash.digest('hex') };
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
