import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Training data that a call is a part of: a version of an artifact that is not deleted. */
export interface DataUse {
  /** Of the version. */
  id: string;
  name: string;
  version: number;
  digest: string;
  split: string;
  createdAt: Date;
}

/** A job that has read training data. */
export interface DataJob {
  versionId: string;
  id: string;
  kind: string;
  status: string;
  modelId: string;
  /** Null: it has made none. */
  checkpointId: string | null;
  step: number | null;
}

/** Most jobs that are shown of all versions together. */
const MAX_JOBS = 1_000;

/** Where calls have gone as training data. */
@Injectable()
export class DataUsesRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(projectRowId: string, callId: string, limit: number): Promise<DataUse[]> {
    return this.database.client.$queryRaw<DataUse[]>`
      SELECT v.id::text AS id, a.name, v.version, v.digest, u.split, v.created_at AS "createdAt"
      FROM training_data_calls u
      JOIN artifact_versions v ON v.project_id = u.project_id AND v.id = u.version_id
      JOIN artifacts a ON a.project_id = v.project_id AND a.id = v.artifact_id
      WHERE u.project_id = ${projectRowId}::uuid AND u.call_id = ${callId} AND v.deleted_at IS NULL
      ORDER BY v.id DESC LIMIT ${limit}`;
  }

  /**
   * Jobs that read versions, oldest first.
   *
   * @param entities whose jobs may be shown; null: all
   * @param onlyProject row id of the only project whose jobs may be shown; null: any
   */
  async listJobs(
    versionIds: readonly string[],
    entities: readonly string[] | null,
    onlyProject: string | null,
  ): Promise<DataJob[]> {
    if (versionIds.length === 0) return [];
    const visible = [
      ...(entities ? [Prisma.sql`AND e.name = ANY (${[...entities]})`] : []),
      ...(onlyProject === null ? [] : [Prisma.sql`AND p.id = ${onlyProject}::uuid`]),
    ];
    return this.database.client.$queryRaw<DataJob[]>`
      SELECT j.data_version_id::text AS "versionId", j.id::text AS id, j.kind, j.status, j.model_id::text AS "modelId",
        j.produced_id::text AS "checkpointId", j.produced_step AS step
      FROM training_jobs j JOIN projects p ON p.id = j.project_id JOIN entities e ON e.id = p.entity_id
      WHERE j.data_version_id = ANY (${[...versionIds]}::uuid[]) ${Prisma.join([Prisma.empty, ...visible], ' ')}
      ORDER BY j.ordinal LIMIT ${MAX_JOBS}`;
  }
}
