import { ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE } from '../open-adapter.js';
import { ArchiveError } from './archive.errors.js';

const MAX_PATH = 1_024;
const MAX_SHOWN = 100;
const FILE_TYPES = new Set(['File', 'OldFile', 'ContiguousFile']);
const CONTROL = /\p{Cc}/gu;
/** Absolute, with a drive, or with another system's separators. */
const FOREIGN = /\\|^\/|^[A-Za-z]:/;
/** The root of the archive. */
const ROOT = /^\.?\/?$/;
/** Files of an adapter; everything else in its folder is about it. */
export const ADAPTER_FILES: readonly string[] = [ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE];

/** An entry of an archive, as its header says. */
export interface EntryHeader {
  readonly path: string;
  /** As the library names it, for example `File` or `SymbolicLink`. */
  readonly type: string;
}

/** What to do with an entry. */
export type EntryUse =
  | { readonly use: 'skip' }
  | { readonly use: 'ignore'; readonly path: string }
  | { readonly use: 'store'; readonly name: string; readonly folder: string };

/**
 * Decides by its header what becomes of an entry. An adapter is in the root of the archive or in one folder; what lies
 * deeper is ignored.
 *
 * @throws ArchiveError it is no plain file or folder, or its path could lead out of a folder
 */
export function useOf({ path, type }: EntryHeader): EntryUse {
  // Some writers list the folder that they packed itself.
  if (type === 'Directory' && ROOT.test(path)) return { use: 'skip' };
  const shown = path.replace(CONTROL, '?').slice(0, MAX_SHOWN).toWellFormed();
  const isForbidden = FOREIGN.test(path) || path.search(CONTROL) >= 0 || path.split('/').includes('..');
  if (isForbidden || path.length > MAX_PATH) throw new ArchiveError(`The path '${shown}' is not allowed in an archive`);
  if (type === 'Directory') return { use: 'skip' };
  if (!FILE_TYPES.has(type)) throw new ArchiveError(`'${shown}' is no plain file or folder, but a ${type}`);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const name = segments.at(-1) ?? '';
  if (segments.length > 2 || !ADAPTER_FILES.includes(name)) return { use: 'ignore', path: shown };
  return { use: 'store', name, folder: segments.length === 2 ? (segments[0] as string) : '' };
}
