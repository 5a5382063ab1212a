import { join } from 'node:path';

import { StoredFileMissingError } from '../artifact.errors.js';

const SCHEME = 'local:';
const KEY = /^(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]{1,255}(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]{1,255})*$/;
const MAX_LENGTH = 1_024;

/** Folder of unfinished writes. */
export const TEMP = 'tmp';

/** A relative path of `[A-Za-z0-9._-]` segments, none of them `.` or `..`. */
const isKey = (text: string): boolean => text.length <= MAX_LENGTH && KEY.test(text);

export const uriOf = (key: string): string => SCHEME + key;

/** Path of a key below `root`. @throws Error not a key: a programming error, as callers validate the parts */
export function pathOfKey(root: string, key: string): string {
  if (!isKey(key)) throw new Error(`Not a key of the artifact store: '${key.slice(0, 100)}'.`);
  return join(root, key);
}

/** The same for a key that is to be written. */
export function pathOfNewKey(root: string, key: string): string {
  if (key === TEMP || key.startsWith(`${TEMP}/`)) throw new Error(`'${TEMP}' belongs to the artifact store itself.`);
  return pathOfKey(root, key);
}

/** @throws StoredFileMissingError another store's uri, or none */
export function pathOfUri(root: string, uri: string): string {
  const key = uri.slice(SCHEME.length);
  if (!uri.startsWith(SCHEME) || !isKey(key)) throw new StoredFileMissingError(uri);
  return join(root, key);
}
