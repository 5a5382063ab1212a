import { Database, newId } from '@hone/database';
import { OPEN_STATUSES } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import type { ArtifactVersionDraft } from './artifact.record.js';

/** Writes versions of artifacts. */
@Injectable()
export class ArtifactWriteRepository {
  constructor(private readonly database: Database) {}

  /** Makes the next version of an artifact, and the artifact when it is new; returns its number. In a transaction. */
  async insertVersion(draft: ArtifactVersionDraft): Promise<number> {
    const { client } = this.database;
    const { id, projectId, name, modelId } = draft;
    // The row is locked from here on: versions count up without a gap, in the order of the commits.
    const [artifact] = await client.$queryRaw<{ id: string; version: number }[]>`
      INSERT INTO artifacts (project_id, id, name, model_id, next_version)
      VALUES (${projectId}::uuid, ${newId()}::uuid, ${name}, ${modelId}::uuid, 1)
      ON CONFLICT (project_id, name) DO UPDATE SET next_version = artifacts.next_version + 1,
        model_id = coalesce(excluded.model_id, artifacts.model_id)
      RETURNING id, next_version - 1 AS version`;
    const { id: artifactId, version } = artifact as { id: string; version: number };
    await client.$executeRaw`
      INSERT INTO artifact_versions
        (project_id, id, artifact_id, version, uri, files, digest, bytes, metadata, created_by)
      VALUES (${projectId}::uuid, ${id}::uuid, ${artifactId}::uuid, ${version}, ${draft.uri},
        ${JSON.stringify(draft.files)}::jsonb, ${draft.digest}, ${draft.bytes}::bigint, ${draft.metadata}::jsonb,
        ${draft.createdBy}::uuid)`;
    return version;
  }

  /** Takes the lock of a live version. False: it is deleted. A job that is being made holds it as well. */
  async lockVersion(projectId: string, id: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM artifact_versions
      WHERE project_id = ${projectId}::uuid AND id = ${id}::uuid AND deleted_at IS NULL FOR UPDATE`;
    return rows.length > 0;
  }

  /** Of any project. */
  async isReadByOpenJob(id: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM training_jobs WHERE (data_version_id = ${id}::uuid OR validation_version_id = ${id}::uuid)
        AND status IN ${OPEN_STATUSES} LIMIT 1`;
    return rows.length > 0;
  }

  async deleteVersion(projectId: string, id: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE artifact_versions SET deleted_at = now() WHERE project_id = ${projectId}::uuid AND id = ${id}::uuid`;
  }
}
