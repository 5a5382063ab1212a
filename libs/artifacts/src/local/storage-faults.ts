import { isDiskFull } from '@hone/platform';

import { StorageFullError, StorageUnavailableError } from '../artifact.errors.js';

const UNAVAILABLE = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOTDIR',
  'ENXIO',
  'ESTALE',
  'EMFILE',
  'ENFILE',
  'ETIMEDOUT',
]);

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** Maps a file system error to StorageUnavailableError where the store cannot be used. */
export function asStorageFault(error: unknown): unknown {
  const { syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const code = codeOf(error) ?? '';
  if (syscall === undefined) return error; // not from the file system: the source of the bytes failed
  if (isDiskFull(error)) return new StorageFullError(error);
  return UNAVAILABLE.has(code) ? new StorageUnavailableError(error) : error;
}

/** @throws StorageUnavailableError */
export async function withStorageFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageFault(error);
  }
}
