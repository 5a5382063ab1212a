import type { ProjectStatsDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** How much a project stores. */
@Injectable()
export class ProjectStatsRepository {
  constructor(private readonly database: Database) {}

  async find(projectRowId: string): Promise<ProjectStatsDto> {
    const [row] = await this.database.client.$queryRaw<Record<keyof ProjectStatsDto, bigint | string>[]>`
      SELECT calls.*, versions.*, tables.*, feedback.*, files.* FROM
        (SELECT count(*) AS call_count, coalesce(sum(start_bytes + end_bytes), 0)::bigint AS calls_size_bytes FROM calls
         WHERE project_id = ${projectRowId}::uuid AND deleted_at IS NULL AND started_at IS NOT NULL) calls,
        (SELECT count(*) AS object_version_count, coalesce(sum(size_bytes), 0)::bigint AS objects_size_bytes
         FROM object_versions WHERE project_id = ${projectRowId}::uuid AND deleted_at IS NULL) versions,
        (SELECT (SELECT count(*) FROM table_versions WHERE project_id = ${projectRowId}::uuid) AS table_count,
           coalesce(sum(size_bytes), 0)::bigint AS tables_size_bytes
         FROM table_rows WHERE project_id = ${projectRowId}::uuid) tables,
        (SELECT count(*) AS feedback_count FROM feedback WHERE project_id = ${projectRowId}::uuid) feedback,
        (SELECT count(*) AS file_count, coalesce(sum(size_bytes), 0)::bigint AS files_size_bytes FROM files
         WHERE project_id = ${projectRowId}::uuid) files`;
    const number = (name: keyof ProjectStatsDto) => Number(row?.[name] ?? 0);
    return {
      call_count: number('call_count'),
      calls_size_bytes: number('calls_size_bytes'),
      object_version_count: number('object_version_count'),
      objects_size_bytes: number('objects_size_bytes'),
      table_count: number('table_count'),
      tables_size_bytes: number('tables_size_bytes'),
      feedback_count: number('feedback_count'),
      file_count: number('file_count'),
      files_size_bytes: number('files_size_bytes'),
    };
  }
}
