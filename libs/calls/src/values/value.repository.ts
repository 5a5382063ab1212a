import { Injectable } from '@nestjs/common';
import { bytesDigest } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';

/** Exact text as it is stored: in its column, or as the key of its chunks. One of the two is set, or neither. */
export interface StoredValue {
  text: string | null;
  blob: string | null;
}

/** Text with more bytes than this lives in chunks. */
export const MAX_INLINE_BYTES = 262_144;
const CHUNK_BYTES = 262_144;

/** Exact values of any size. Large ones are cut into chunks under the digest of the whole, so that equal ones are stored once. */
@Injectable()
export class ValueRepository {
  constructor(private readonly database: Database) {}

  /** Whether {@link put} would write chunks; it must then run in the transaction of the row that names them. */
  static isLarge(text: string): boolean {
    // Each UTF-16 unit is at most three bytes, so most texts need no counting.
    return text.length * 3 > MAX_INLINE_BYTES && Buffer.byteLength(text) > MAX_INLINE_BYTES;
  }

  async put(projectRowId: string, text: string): Promise<StoredValue> {
    if (!ValueRepository.isLarge(text)) return { text, blob: null };
    return { text: null, blob: await this.putBytes(projectRowId, Buffer.from(text)) };
  }

  /** Stores bytes as chunks; returns their key. */
  async putBytes(projectRowId: string, bytes: Buffer): Promise<string> {
    const key = bytesDigest(bytes);
    for (let chunkNo = 0, at = 0; at < bytes.length || chunkNo === 0; chunkNo++, at += CHUNK_BYTES) {
      const chunk = new Uint8Array(bytes.subarray(at, at + CHUNK_BYTES));
      await this.database.client.$executeRaw`
        INSERT INTO blob_chunks (project_id, blob_key, chunk_no, bytes)
        VALUES (${projectRowId}::uuid, ${key}, ${chunkNo}, ${chunk}) ON CONFLICT DO NOTHING`;
    }
    return key;
  }

  /** The whole text. Postgres joins its chunks: as bytes they would travel as hexadecimal digits, twice as many. */
  async get(projectRowId: string, { text, blob }: StoredValue): Promise<string | null> {
    if (blob === null) return text;
    const [row] = await this.database.queryBulk<{ whole: string | null }>(Prisma.sql`
      SELECT convert_from(string_agg(bytes, ''::bytea ORDER BY chunk_no), 'UTF8') AS whole FROM blob_chunks
      WHERE project_id = ${projectRowId}::uuid AND blob_key = ${blob}`);
    return row?.whole ?? '';
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
