import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ValueRepository } from './value.repository.js';

/** Files by the digest of their bytes. */
@Injectable()
export class FileRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Stores a file, in the ambient transaction; returns its digest. */
  async put(projectRowId: string, bytes: Buffer): Promise<string> {
    const digest = await this.values.putBytes(projectRowId, bytes);
    await this.database.client.$executeRaw`
      INSERT INTO files (project_id, digest, size_bytes, created_at)
      VALUES (${projectRowId}::uuid, ${digest}, ${bytes.length}, now()) ON CONFLICT DO NOTHING`;
    return digest;
  }

  /**
   * Erases files, in the ambient transaction; their bytes stay until nothing else names them as a value.
   *
   * @returns digests of those that there were
   */
  async erase(projectRowId: string, digests: string[]): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ digest: string }[]>`
      DELETE FROM files WHERE project_id = ${projectRowId}::uuid AND digest = ANY(${digests}) RETURNING digest`;
    return rows.map(({ digest }) => digest);
  }

  /** How many bytes a file has; null when there is none. */
  async findSize(projectRowId: string, digest: string): Promise<number | null> {
    const known = await this.database.client.file.findUnique({
      where: { projectId_digest: { projectId: projectRowId, digest } },
      select: { sizeBytes: true },
    });
    return known && Number(known.sizeBytes);
  }

  /** Bytes of all files of a project. */
  async totalBytes(projectRowId: string): Promise<number> {
    const { _sum } = await this.database.client.file.aggregate({
      where: { projectId: projectRowId },
      _sum: { sizeBytes: true },
    });
    return Number(_sum.sizeBytes ?? 0);
  }

  /** The bytes of a file; null when there is none. */
  async find(projectRowId: string, digest: string): Promise<Buffer | null> {
    const known = await this.database.client.file.findUnique({
      where: { projectId_digest: { projectId: projectRowId, digest } },
    });
    return known && this.values.getBytes(projectRowId, digest);
  }
}
