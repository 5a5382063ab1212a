import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';

/** SHA-256 (hex) of one file's bytes, read by stream. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** SHA-256 (hex) over names and contents: the same for the same files in another folder. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${basename(path)} ${await hashFile(path)}\n`);
  return hash.digest('hex');
}
