import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { newApiKey } from '@hone/auth';
import { StartupError } from '@hone/platform';

import { isUsableKey, MIN_BOOTSTRAP_KEY_LENGTH } from '../config/accounts.config.js';

/** The bootstrap key of a data folder. */
export interface KeptKey {
  key: string;
  path: string;
  /** Made just now. */
  isNew: boolean;
}

/**
 * Reads `<dataDir>/api-key`; makes it, for the owner's eyes only, when there is none. Of several processes that do
 * this at once, one makes the key and all get the same.
 *
 * @throws StartupError the folder cannot be used, or the file holds no key
 */
export async function keptKey(dataDir: string): Promise<KeptKey> {
  const path = join(dataDir, 'api-key');
  try {
    await mkdir(dataDir, { recursive: true });
    const isNew = (await readOrNull(path)) === null && (await create(path));
    const key = await readFile(path, 'utf8');
    if (isUsableKey(key.trim())) return { key: key.trim(), path, isNew };
  } catch (error) {
    const reason = (error as Error).message;
    throw new StartupError(`HONE_DATA_DIR is wrong: expected a folder that this process may write to. ${reason}`);
  }
  throw new StartupError(
    `${path} should hold a key of at least ${MIN_BOOTSTRAP_KEY_LENGTH} characters. Delete it to get a new one.`,
  );
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole or not at all: a link to a finished file appears at once, and fails when another process was first. */
async function create(path: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${newApiKey()}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
