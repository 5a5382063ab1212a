import { bytesDigest } from '@hone/contracts';
import type { TestDatabase } from '@hone/testing';

/** Writes prompt objects as the trace service does. */
export class PromptObjects {
  /** @param userId whose objects they are */
  constructor(
    private readonly database: Pick<TestDatabase, 'sql'>,
    private readonly userId: string,
  ) {}

  /** Row id of a project, which is made when it is missing. */
  async project(entity: string, name: string): Promise<string> {
    await this.database.sql(
      `INSERT INTO entities (id, name, kind) VALUES (gen_random_uuid(), $1, 'team') ON CONFLICT DO NOTHING`,
      [entity],
    );
    await this.database.sql(
      `INSERT INTO projects (id, entity_id, name, created_by) SELECT gen_random_uuid(), id, $2, $3 FROM entities
       WHERE name = $1 ON CONFLICT DO NOTHING`,
      [entity, name, this.userId],
    );
    const [row] = await this.database.sql<{ id: string }>(
      `SELECT p.id FROM projects p JOIN entities e ON e.id = p.entity_id WHERE e.name = $1 AND p.name = $2`,
      [entity, name],
    );
    return row!.id;
  }

  /** Publishes a version, which is the latest. @returns its digest */
  async publish(projectRowId: string, objectId: string, val: string | object): Promise<string> {
    const text = typeof val === 'string' ? val : JSON.stringify(val);
    const digest = bytesDigest(Buffer.from(text));
    const [head] = await this.database.sql<{ index: number }>(
      `INSERT INTO object_heads (project_id, object_id, next_version_index) VALUES ($1, $2, 1)
       ON CONFLICT (project_id, object_id) DO UPDATE SET next_version_index = object_heads.next_version_index + 1
       RETURNING next_version_index - 1 AS index`,
      [projectRowId, objectId],
    );
    await this.database.sql(
      `INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, svc_user_id, val_text,
         size_bytes) VALUES ($1, $2, $3, $4, now(), 'object', $5, $6, $7)`,
      [projectRowId, objectId, digest, head!.index, this.userId, text, Buffer.byteLength(text)],
    );
    await this.database.sql(
      `UPDATE object_heads SET latest_digest = $3, latest_created_at = now(), latest_version_index = $4
       WHERE project_id = $1 AND object_id = $2`,
      [projectRowId, objectId, digest, head!.index],
    );
    return digest;
  }

  /** Makes a label name a version. @param weights digests of the versions that it is split over -> their shares */
  async label(
    projectRowId: string,
    objectId: string,
    alias: string,
    digest: string,
    weights: Record<string, number> | null = null,
  ): Promise<void> {
    await this.database.sql(
      `INSERT INTO object_aliases (project_id, object_id, alias, digest, created_at, svc_user_id, weights)
       VALUES ($1, $2, $3, $4, now(), $5, $6::jsonb)
       ON CONFLICT (project_id, object_id, alias) DO UPDATE SET digest = excluded.digest, weights = excluded.weights`,
      [projectRowId, objectId, alias, digest, this.userId, weights && JSON.stringify(weights)],
    );
  }

  async delete(projectRowId: string, objectId: string): Promise<void> {
    await this.database.sql(`UPDATE object_versions SET deleted_at = now() WHERE project_id = $1 AND object_id = $2`, [
      projectRowId,
      objectId,
    ]);
  }
}
