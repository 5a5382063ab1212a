import type { Readable } from 'node:stream';

/** A stored file. `uri` names it in the store for good: `local:<path>`, never a path of this machine. */
export interface StoredFile {
  readonly uri: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** A file of a stored folder. */
export interface FolderFile {
  /** Relative to its folder, `/` between segments. */
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface StoredFolder {
  readonly uri: string;
  readonly bytes: number;
  /** In order of their paths. */
  readonly files: readonly FolderFile[];
}

export interface PutOptions {
  /** More bytes than this: nothing is stored. */
  readonly maxBytes?: number;
}

/** A folder under construction, invisible to readers until its commit. */
export interface TempFolder {
  /** Absolute path on this machine. */
  readonly path: string;
  /**
   * Writes a file into it, hashed as it comes and synced.
   *
   * @param name one segment of a key
   * @throws ArtifactTooLargeError more than `maxBytes`
   * @throws StorageUnavailableError
   */
  put(name: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<FolderFile>;
  /**
   * Makes it part of the store under `key`: every file and folder synced, then renamed, then its parent synced.
   *
   * @throws StorageUnavailableError
   */
  commit(key: string): Promise<StoredFolder>;
  /** Deletes it. Does nothing after a commit. */
  discard(): Promise<void>;
}

/**
 * Blob store of large payloads: trajectories, plans, artifacts, checkpoints. A database row references a blob by uri,
 * size and SHA-256, and is written only after the blob is synced; an unreferenced blob is garbage.
 *
 * Keys are relative paths of `[A-Za-z0-9._-]` segments that the caller makes unique; nothing is ever overwritten.
 */
export interface ArtifactStore {
  /**
   * Stores one file: written aside, hashed, synced, then renamed.
   *
   * @throws ArtifactTooLargeError more than `maxBytes`
   * @throws StorageUnavailableError full, read-only or gone
   */
  put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredFile>;
  /** @throws StorageUnavailableError */
  createFolder(): Promise<TempFolder>;
  /** @throws StoredFileMissingError */
  open(uri: string): Promise<Readable>;
  /**
   * Reads a whole file and verifies its hash.
   *
   * @throws StoredFileMissingError
   * @throws StoredFileCorruptError its bytes are not those of `sha256`
   */
  read(uri: string, sha256: string): Promise<Buffer>;
  /** Bytes of a file, or of all files of a folder; null when it is not there. */
  stat(uri: string): Promise<{ readonly bytes: number } | null>;
  /**
   * Local path of a file or folder, for the engine, which reads files. A remote store downloads it first.
   *
   * @throws StoredFileMissingError
   */
  localPath(uri: string): Promise<string>;
  /** Deletes a file, or a folder with its content. Idempotent. */
  delete(uri: string): Promise<void>;
  /**
   * Entries directly under a key prefix, for the garbage collector; `tmp` holds unfinished writes.
   *
   * @param prefix for example `jobs` or `tmp`
   */
  list(prefix: string): AsyncIterable<{ readonly uri: string; readonly modifiedAt: Date }>;
  /** @throws StorageUnavailableError it cannot be written to */
  ping(): Promise<void>;
}
