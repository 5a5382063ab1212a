import { rename, rm } from 'node:fs/promises';

import { codeOf } from './storage-faults.js';

const MAX_RETRIES = 5;

/**
 * Removes a file, or a folder with all it holds; nothing happens when it is absent. It is moved away first: a process
 * that still writes there, such as the engine of a frozen trainer, cannot add files while the folder is emptied, and
 * nobody reads half of it.
 *
 * @param unusedPath on the same file system
 */
export async function removeTree(path: string, unusedPath: string): Promise<void> {
  try {
    await rename(path, unusedPath);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    await rm(path, { recursive: true, force: true }); // a full disk may refuse a new name
    return;
  }
  // A file that was being opened when the folder moved may still appear in it.
  await rm(unusedPath, { recursive: true, force: true, maxRetries: MAX_RETRIES });
}
