import { bytesDigest } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { isLargeText } from './inline.js';

/** Exact text as it is stored: in its column, or as the key of its chunks. One of the two is set, or neither. */
export interface StoredValue {
  text: string | null;
  blob: string | null;
}

const CHUNK_BYTES = 262_144;
/** That are read together. */
const CHUNKS_AT_ONCE = 8;

interface Part {
  text: string;
  is_last: boolean;
}

/** How many bytes at the begin of a chunk belong to a character that began in the one before: those like `10xxxxxx`. */
const cutBytes = (chunk: string): Prisma.Sql => {
  const begin = `encode(substring(${chunk}.bytes FROM 1 FOR 3), 'hex')`;
  return Prisma.raw(`length(coalesce(substring(${begin} FROM '^(?:[89ab].)*'), '')) / 2`);
};

/** Exact values of any size. Large ones are cut into chunks under the digest of the whole, so that equal ones are stored once. */
@Injectable()
export class ValueRepository {
  constructor(private readonly database: Database) {}

  /** Whether {@link put} would write chunks; it must then run in the transaction of the row that names them. */
  static readonly isLarge = isLargeText;

  async put(projectRowId: string, text: string): Promise<StoredValue> {
    if (!ValueRepository.isLarge(text)) return { text, blob: null };
    return { text: null, blob: await this.putBytes(projectRowId, Buffer.from(text)) };
  }

  /**
   * Stores bytes as chunks; returns their key. It takes away the mark of equal bytes that are about to be removed, and
   * waits for the removal if that has begun.
   */
  async putBytes(projectRowId: string, bytes: Buffer): Promise<string> {
    const key = bytesDigest(bytes);
    await this.database.client.$executeRaw`
      DELETE FROM erased_digests WHERE project_id = ${projectRowId}::uuid AND digest = ${key}`;
    for (let chunkNo = 0, at = 0; at < bytes.length || chunkNo === 0; chunkNo++, at += CHUNK_BYTES) {
      const chunk = new Uint8Array(bytes.subarray(at, at + CHUNK_BYTES));
      await this.database.client.$executeRaw`
        INSERT INTO blob_chunks (project_id, blob_key, chunk_no, bytes)
        VALUES (${projectRowId}::uuid, ${key}, ${chunkNo}, ${chunk}) ON CONFLICT DO NOTHING`;
    }
    return key;
  }

  /** The whole text. */
  async get(projectRowId: string, { text, blob }: StoredValue): Promise<string | null> {
    if (blob === null) return text;
    let whole = '';
    for await (const part of this.textOf(projectRowId, blob)) whole += part;
    return whole;
  }

  /**
   * The text of chunks in parts, which are read ahead while the ones before are used. As bytes they would travel as
   * hexadecimal digits, twice as many; a character that was cut belongs to the part that it begins in.
   */
  async *textOf(projectRowId: string, key: string): AsyncGenerator<string> {
    let next = this.partsFrom(projectRowId, key, 0);
    for (let from = CHUNKS_AT_ONCE, isLast = false; !isLast; from += CHUNKS_AT_ONCE) {
      const parts = await next;
      isLast = parts.at(-1)?.is_last !== false;
      if (!isLast) {
        next = this.partsFrom(projectRowId, key, from);
        next.catch(() => undefined); // whoever takes no further part is not told of it
      }
      for (const { text } of parts) yield text;
    }
  }

  private async partsFrom(projectRowId: string, key: string, from: number): Promise<Part[]> {
    const parts = await this.database.queryBulk<Part>(Prisma.sql`
      SELECT convert_from(substring(c.bytes FROM ${cutBytes('c')} + 1)
          || coalesce(substring(after.bytes FROM 1 FOR ${cutBytes('after')}), ''), 'UTF8') AS text,
        after.chunk_no IS NULL AS is_last
      FROM blob_chunks c LEFT JOIN blob_chunks after
        ON after.project_id = c.project_id AND after.blob_key = c.blob_key AND after.chunk_no = c.chunk_no + 1
      WHERE c.project_id = ${projectRowId}::uuid AND c.blob_key = ${key}
        AND c.chunk_no >= ${from} AND c.chunk_no < ${from + CHUNKS_AT_ONCE}
      ORDER BY c.chunk_no`);
    if (parts.length === 0) throw new Error('Chunks of a value are not there.');
    return parts;
  }

  async getBytes(projectRowId: string, key: string): Promise<Buffer> {
    const chunks = await this.database.client.$queryRaw<{ bytes: Uint8Array }[]>`
      SELECT bytes FROM blob_chunks WHERE project_id = ${projectRowId}::uuid AND blob_key = ${key} ORDER BY chunk_no`;
    return Buffer.concat(chunks.map(({ bytes }) => bytes));
  }

  /** The chunks of {@link putBytes} in their order, each read when the one before has been taken. */
  async *chunksOf(projectRowId: string, key: string): AsyncGenerator<Uint8Array> {
    for (let chunkNo = 0; ; chunkNo++) {
      const [chunk] = await this.database.client.$queryRaw<{ bytes: Uint8Array }[]>`
        SELECT bytes FROM blob_chunks
        WHERE project_id = ${projectRowId}::uuid AND blob_key = ${key} AND chunk_no = ${chunkNo}`;
      if (!chunk) return;
      yield chunk.bytes;
    }
  }
}
