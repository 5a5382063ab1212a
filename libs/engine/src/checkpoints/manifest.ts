import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isJsonObject } from '@hone/json';

import { hashFile, readHashed } from '../model/hash-files.js';
import type { WrittenFile } from '../model/weights/durable-file.js';
import type { Allocate } from '../runtime/spare-buffer.js';
import { CheckpointCorruptError } from './checkpoint.errors.js';

export const MANIFEST_FILE = 'manifest.json';

/** One file of a checkpoint. */
export interface ManifestEntry extends WrittenFile {
  /** Name within the folder. */
  readonly path: string;
}

/** `manifest.json`: every other file of a checkpoint, with size and hash. Written last: it commits the checkpoint. */
export interface Manifest {
  readonly files: readonly ManifestEntry[];
}

/** The manifest's bytes: the same for the same files, in whatever order they were written. */
export function encodeManifest(files: readonly ManifestEntry[]): Uint8Array {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const listed = sorted.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  return Buffer.from(`${JSON.stringify({ files: listed }, null, 2)}\n`, 'utf8');
}

/**
 * Reads a checkpoint's manifest and every file that it lists, and compares hashes.
 *
 * @param sha256 hash (hex) that the manifest itself must have; absent: any
 * @param isWanted files, by their names; absent: all
 * @throws CheckpointCorruptError names the file
 */
export async function verifyManifest(
  directory: string,
  sha256?: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<Manifest> {
  const manifest = await readManifest(directory, sha256);
  const wanted = manifest.files.filter(({ path }) => isWanted(path));
  for (const entry of wanted) await verifyFile(join(directory, entry.path), entry);
  return manifest;
}

/**
 * Reads a checkpoint's manifest alone.
 *
 * @param sha256 hash (hex) that it must have; absent: any
 * @throws CheckpointCorruptError
 */
export async function readManifest(directory: string, sha256?: string): Promise<Manifest> {
  const path = join(directory, MANIFEST_FILE);
  const bytes = await orCorrupt(path, readFile(path));
  if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new CheckpointCorruptError(path, 'its SHA-256 is not the expected one');
  }
  return parseManifest(path, bytes);
}

/**
 * Reads a file that the manifest lists, after it was compared with its hash there: once, instead of once for each.
 *
 * @param allocate where its bytes go; absent: new memory
 * @returns bytes that nobody else uses
 * @throws CheckpointCorruptError
 */
export async function readVerified(directory: string, entry: ManifestEntry, allocate?: Allocate): Promise<Uint8Array> {
  const path = join(directory, entry.path);
  const { bytes, sha256 } = await orCorrupt(path, readHashed(path, allocate));
  assertHash(path, entry, sha256);
  return bytes;
}

async function verifyFile(path: string, entry: ManifestEntry): Promise<void> {
  assertHash(path, entry, await orCorrupt(path, hashFile(path)));
}

function assertHash(path: string, { sha256 }: ManifestEntry, found: string): void {
  if (found !== sha256) throw new CheckpointCorruptError(path, `its SHA-256 is not that of ${MANIFEST_FILE}`);
}

async function orCorrupt<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new CheckpointCorruptError(path, 'the file cannot be read', { cause: error });
  }
}

function parseManifest(path: string, bytes: Buffer): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new CheckpointCorruptError(path, 'it is not JSON', { cause: error });
  }
  const files: unknown = isJsonObject(value) ? value.files : null;
  if (!Array.isArray(files) || !files.every(isEntry))
    throw new CheckpointCorruptError(path, 'it is not a list of files');
  return { files };
}

/** File names only: a manifest may come from another program, and must not point outside its folder. */
function isEntry(value: unknown): value is ManifestEntry {
  if (!isJsonObject(value)) return false;
  const { path, bytes, sha256 } = value;
  const isName = typeof path === 'string' && /^[A-Za-z0-9][\w.-]*$/.test(path);
  return isName && Number.isSafeInteger(bytes) && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
}
