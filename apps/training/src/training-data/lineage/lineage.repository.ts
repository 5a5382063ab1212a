import { refOfCall } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { OwningProject, Visible } from '../../access/training-access.js';
import { visibleConditions } from '../../access/visible.sql.js';
import type { PageQuery } from '../../http/page.js';

/** A version of an artifact that was made of calls. */
export interface DataVersionRecord extends OwningProject {
  id: string;
  name: string;
  version: number;
  digest: string;
  bytes: number;
  createdAt: Date;
  deletedAt: Date | null;
  calls: number;
}

/** A checkpoint with the job that made it. */
export interface LineageStepRecord {
  checkpointId: string;
  step: number;
  /** Null: it was imported. */
  jobId: string | null;
  /** Null: the job read no artifact. */
  dataVersionId: string | null;
}

export interface LineageCallRecord {
  id: string;
  split: string;
  isDeleted: boolean;
}

export interface LineageFeedbackRecord {
  callId: string;
  id: string;
  feedbackType: string;
  svcUserId: string;
  creator: string | null;
  createdAt: Date;
}

const MAX_STEPS = 1_000;
const MAX_FEEDBACK = 20;

const DATA_COLUMNS = Prisma.sql`
  v.id::text AS id, p.id::text AS "projectId", e.name AS entity, p.name AS project, a.name, v.version, v.digest,
  v.bytes::float8 AS bytes, v.created_at AS "createdAt", v.deleted_at AS "deletedAt",
  (SELECT count(*)::int FROM training_data_calls u WHERE u.project_id = v.project_id AND u.version_id = v.id) AS calls`;
const DATA_TABLES = Prisma.sql`
  artifact_versions v JOIN artifacts a ON a.project_id = v.project_id AND a.id = v.artifact_id
  JOIN projects p ON p.id = v.project_id JOIN entities e ON e.id = p.entity_id`;
const HAS_CALLS = Prisma.sql`
  EXISTS (SELECT 1 FROM training_data_calls u WHERE u.project_id = v.project_id AND u.version_id = v.id)`;

/** Reads what came of what. */
@Injectable()
export class LineageRepository {
  constructor(private readonly database: Database) {}

  /** Id of the model that a checkpoint belongs to, both live or deleted; null: there is none. */
  async findModelOf(checkpointId: string): Promise<string | null> {
    const rows = await this.database.client.$queryRaw<{ modelId: string }[]>`
      SELECT model_id::text AS "modelId" FROM checkpoints WHERE id = ${checkpointId}::uuid`;
    return rows[0]?.modelId ?? null;
  }

  /** A checkpoint, the one that it was trained from, and so on. */
  async listSteps(projectId: string, checkpointId: string): Promise<LineageStepRecord[]> {
    return this.database.client.$queryRaw<LineageStepRecord[]>`
      WITH RECURSIVE line AS (
        SELECT c.id, c.step, c.job_id, c.parent_id, 1 AS depth FROM checkpoints c
        WHERE c.project_id = ${projectId}::uuid AND c.id = ${checkpointId}::uuid
        UNION ALL
        SELECT c.id, c.step, c.job_id, c.parent_id, line.depth + 1 FROM line
        JOIN checkpoints c ON c.project_id = ${projectId}::uuid AND c.id = line.parent_id
        WHERE line.depth < ${MAX_STEPS})
      SELECT line.id::text AS "checkpointId", line.step, j.id::text AS "jobId",
        j.data_version_id::text AS "dataVersionId"
      FROM line LEFT JOIN training_jobs j ON j.project_id = ${projectId}::uuid AND j.id = line.job_id
      ORDER BY line.depth`;
  }

  /** Versions that were made of calls, of those with these ids, live or deleted. */
  async findData(versionIds: readonly string[]): Promise<DataVersionRecord[]> {
    if (versionIds.length === 0) return [];
    return this.database.client.$queryRaw<DataVersionRecord[]>`
      SELECT ${DATA_COLUMNS} FROM ${DATA_TABLES} WHERE v.id = ANY (${[...versionIds]}::uuid[]) AND ${HAS_CALLS}`;
  }

  /** Up to `limit + 1` calls of a version, by id. */
  async listCalls(
    { projectId, id }: DataVersionRecord,
    after: string | undefined,
    limit: number,
  ): Promise<LineageCallRecord[]> {
    return this.database.client.$queryRaw<LineageCallRecord[]>`
      SELECT u.call_id AS id, u.split, NOT EXISTS (
        SELECT 1 FROM calls c WHERE c.project_id = u.project_id AND c.id = u.call_id AND c.deleted_at IS NULL
          AND c.started_at IS NOT NULL) AS "isDeleted"
      FROM training_data_calls u
      WHERE u.project_id = ${projectId}::uuid AND u.version_id = ${id}::uuid
        ${after === undefined ? Prisma.empty : Prisma.sql`AND u.call_id > ${after}`}
      ORDER BY u.call_id LIMIT ${limit + 1}`;
  }

  /** Feedback on calls, oldest first, at most 20 of each. */
  async listFeedback(
    { projectId, entity, project }: DataVersionRecord,
    callIds: readonly string[],
  ): Promise<LineageFeedbackRecord[]> {
    return this.database.client.$queryRaw<LineageFeedbackRecord[]>`
      SELECT r.id AS "callId", f.id, f.feedback_type AS "feedbackType", f.svc_user_id::text AS "svcUserId", f.creator,
        f.created_at AS "createdAt"
      FROM unnest(${[...callIds]}::text[]) AS r(id) CROSS JOIN LATERAL (
        SELECT * FROM feedback f WHERE f.project_id = ${projectId}::uuid
          AND f.trace_ref = ${refOfCall(`${entity}/${project}`, Prisma.sql`r.id`)}
        ORDER BY f.created_at, f.id LIMIT ${MAX_FEEDBACK}) f
      ORDER BY f.created_at, f.id`;
  }

  /** Up to `limit + 1` live versions, in the order in which they were made. @param callId undefined: with any call */
  async listData(
    visible: Visible,
    { callId, ...names }: { callId?: string | undefined; entity?: string | undefined; project?: string | undefined },
    { limit, after }: PageQuery,
  ): Promise<DataVersionRecord[]> {
    const conditions = [
      Prisma.sql`v.deleted_at IS NULL`,
      ...visibleConditions(visible, names),
      callId === undefined
        ? HAS_CALLS
        : Prisma.sql`EXISTS (SELECT 1 FROM training_data_calls u
            WHERE u.project_id = v.project_id AND u.version_id = v.id AND u.call_id = ${callId})`,
      ...(after === undefined ? [] : [Prisma.sql`v.id > ${after}::uuid`]),
    ];
    return this.database.client.$queryRaw<DataVersionRecord[]>`
      SELECT ${DATA_COLUMNS} FROM ${DATA_TABLES} WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY v.id LIMIT ${limit + 1}`;
  }
}
