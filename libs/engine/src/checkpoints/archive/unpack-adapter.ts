import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { Parser, type ReadEntry } from 'tar';

import { AdapterEntries } from './adapter-entries.js';
import { ArchiveError, ArchiveTooLargeError } from './archive.errors.js';

const BLOCK_BYTES = 512;
/** Offset of the magic in a tar header. */
const MAGIC_AT = 257;
/** First bytes of gzip and of zstandard. */
const PACKED = [0x1f, 0x28];
/** Most bytes of one extended header, which holds a path and times. */
const MAX_EXTENDED_BYTES = 65_536;

/** Source and destination of an adapter. */
export interface UnpackOrder {
  /** Path of a tar archive, packed with gzip or not. */
  readonly archive: string;
  /** Folder that gets the adapter's two files. */
  readonly directory: string;
  /** Most bytes of the unpacked archive. */
  readonly maxBytes: number;
}

/**
 * Takes the files of an adapter out of an archive that somebody sent; memory does not depend on its size.
 *
 * @returns paths of the files that are not part of an adapter
 * @throws ArchiveError, ArchiveTooLargeError
 */
export async function unpackAdapter({ archive, directory, maxBytes }: UnpackOrder): Promise<string[]> {
  const entries = new AdapterEntries(directory);
  const found: { failure?: unknown } = {};
  const consume = async (content: AsyncIterable<Buffer>): Promise<void> => {
    // Ending the streams early is an error of its own, which the pipeline may report in place of this one.
    await parse(limited(content, maxBytes), entries).catch((error: unknown) => {
      found.failure = error;
      throw error;
    });
  };
  try {
    const source = createReadStream(archive);
    if (await isGzip(archive)) await pipeline(source, createGunzip(), consume);
    else await pipeline(source, consume);
  } catch (error) {
    throw isDamagedGzip(error) || isDamagedGzip(found.failure)
      ? new ArchiveError('The archive is not whole gzip')
      : (found.failure ?? error);
  }
  return entries.finish();
}

const isDamagedGzip = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code?.startsWith('Z_') ?? false;

/** @throws ArchiveError, and what `entries` throws */
async function parse(content: AsyncIterable<Buffer>, entries: AdapterEntries): Promise<void> {
  const parser = new Parser({ strict: true, maxMetaEntrySize: MAX_EXTENDED_BYTES });
  const stored: Promise<void>[] = [];
  const state = { isFailed: false };
  const failure = new Promise<never>((_resolve, reject) => {
    const fail = (error: unknown): void => {
      state.isFailed = true;
      reject(error);
    };
    parser.on('entry', (entry: ReadEntry) => {
      const storing = entries.take(entry);
      stored.push(storing);
      storing.catch(fail);
    });
    parser.on('ignoredEntry', () => fail(new ArchiveError('The archive has an entry of an unknown kind')));
    parser.on('error', () => fail(new ArchiveError('The archive is damaged, or is cut short')));
  });
  failure.catch(() => undefined);
  for await (const chunk of startingLikeTar(content)) {
    const isReady = parser.write(chunk);
    if (state.isFailed) return failure;
    if (!isReady) await Promise.race([once(parser, 'drain'), failure]);
  }
  parser.end();
  await Promise.race([Promise.all(stored), failure]);
  if (state.isFailed) await failure;
}

/** The same bytes, no more than `maxBytes`. @throws ArchiveTooLargeError */
async function* limited(content: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ArchiveTooLargeError();
    yield chunk;
  }
}

/** Passes bytes on. The parser would decompress nested archives without any limit: only plain tar reaches it. */
async function* startingLikeTar(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of content) {
    if (start === null) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < BLOCK_BYTES) continue;
    assertTar(start);
    yield start;
    start = null;
  }
  if (start !== null) assertTar(start);
}

function assertTar(start: Buffer): void {
  const isTar = start.subarray(MAGIC_AT, MAGIC_AT + 5).toString('latin1') === 'ustar';
  if (isTar && !PACKED.includes(start[0] as number)) return;
  throw new ArchiveError('The body is not a tar archive, packed with gzip');
}

async function isGzip(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
