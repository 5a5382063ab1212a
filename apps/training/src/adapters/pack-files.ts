import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

import { Header } from 'tar';

const BLOCK_BYTES = 512;
const END = Buffer.alloc(2 * BLOCK_BYTES);
/** Numbers hardly shrink: a higher level only takes longer. */
const GZIP_LEVEL = 1;

/** An open file, and what it must be. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly content: Readable;
}

/**
 * The files as one tar.gz, made while it is read: the same files give the same bytes. It ends with an error when a
 * file is not what it must be, so that a damaged one cannot pass for whole.
 */
export function packFiles(files: readonly PackedFile[]): Readable {
  return pipeline(Readable.from(tarOf(files), { objectMode: false }), createGzip({ level: GZIP_LEVEL }), () => {
    for (const { content } of files) content.destroy();
  });
}

async function* tarOf(files: readonly PackedFile[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    yield headerOf(file);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of file.content as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
    if (bytes !== file.bytes || hash.digest('hex') !== file.sha256) throw new Error('A stored file is damaged.');
    yield Buffer.alloc(-bytes & (BLOCK_BYTES - 1));
  }
  yield END;
}

/** No owner and no time: they would differ from one download to the next. */
function headerOf({ path, bytes }: PackedFile): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const fields = { mode: 0o644, uid: 0, gid: 0, mtime: new Date(0), type: 'File', uname: '', gname: '' } as const;
  new Header({ ...fields, path, size: bytes }).encode(block, 0);
  return block;
}
