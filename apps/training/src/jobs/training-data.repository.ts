import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

/** Finds the versions of artifacts that fine-tuning jobs read. */
@Injectable()
export class TrainingDataRepository {
  constructor(private readonly database: Database) {}

  /** Row id of a version that is not deleted; null when there is none. */
  async findVersion(projectId: string, name: string, version: number | 'latest'): Promise<string | null> {
    const condition = version === 'latest' ? Prisma.sql`true` : Prisma.sql`v.version = ${version}::int`;
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT v.id FROM artifacts a
      JOIN artifact_versions v ON v.project_id = a.project_id AND v.artifact_id = a.id
      WHERE a.project_id = ${projectId}::uuid AND a.name = ${name} AND v.deleted_at IS NULL AND ${condition}
      ORDER BY v.version DESC LIMIT 1`;
    return rows[0]?.id ?? null;
  }
}
