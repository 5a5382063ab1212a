import { createHash } from 'node:crypto';

import type { FolderFile } from '@hone/artifacts';

/** Hex, over paths and hashes: equal files, equal digest. @param files in order of their paths */
export function filesDigest(files: readonly FolderFile[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256 } of files) hash.update(`${path}\0${sha256}\n`);
  return hash.digest('hex');
}
