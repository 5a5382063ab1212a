import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { codingOf, type ContentCoding, inflaterFor } from '@hone/platform';

import { DataEncodingError, DataTooLargeError } from './data.errors.js';

const CODINGS: readonly ContentCoding[] = ['gzip', 'x-gzip', 'deflate', 'br'];
/** The first two bytes of gzip, RFC 1952. No line of JSON begins with them. */
const GZIP_MAGIC = Buffer.of(0x1f, 0x8b);

/**
 * Decodes the body of an answer.
 *
 * @param contentEncoding of its header; a list of several codings is refused: packed twice, a bomb is small
 * @throws DataEncodingError it is another coding
 */
export function decodersOf(contentEncoding: string | readonly string[] | undefined): Transform[] {
  const coding = codingOf(String(contentEncoding ?? '').trim() || undefined, CODINGS);
  if (coding === null) throw new DataEncodingError('its Content-Encoding is not supported');
  return [inflaterFor(coding) ?? []].flat();
}

/** Passes bytes on, as long as they are not more than `maxBytes`. The stream fails with DataTooLargeError. */
export function byteLimit(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new DataTooLargeError(`more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

/** Replaces a file by its content if it is a gzip file. @throws what zlib does, DataTooLargeError */
export async function unpackFile(path: string, maxBytes: number, signal: AbortSignal): Promise<void> {
  if (!(await isGzip(path))) return;
  const target = `${path}.unpacked`;
  await pipeline(createReadStream(path), createGunzip(), byteLimit(maxBytes), createWriteStream(target), { signal });
  await rename(target, path);
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0);
    return bytesRead === GZIP_MAGIC.length && buffer.equals(GZIP_MAGIC);
  } finally {
    await file.close();
  }
}
