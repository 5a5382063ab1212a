import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Finds the versions of artifacts that fine-tuning jobs read. */
@Injectable()
export class TrainingDataRepository {
  constructor(private readonly database: Database) {}

  /** Row id of a version that is not deleted, and has the file; null when there is none. @param file undefined: any */
  async findVersion(
    projectId: string,
    name: string,
    version: number | 'latest',
    file: string | undefined,
  ): Promise<string | null> {
    const condition = version === 'latest' ? Prisma.sql`true` : Prisma.sql`v.version = ${version}::int`;
    const rows = await this.database.client.$queryRaw<{ id: string; files: { path: string }[] }[]>`
      SELECT v.id, v.files FROM artifacts a
      JOIN artifact_versions v ON v.project_id = a.project_id AND v.artifact_id = a.id
      WHERE a.project_id = ${projectId}::uuid AND a.name = ${name} AND v.deleted_at IS NULL AND ${condition}
      ORDER BY v.version DESC LIMIT 1`;
    const found = rows[0];
    return found && (file === undefined || found.files.some(({ path }) => path === file)) ? found.id : null;
  }
}
