import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** A stored checkpoint that no row names yet. */
export interface ImportedCheckpointDraft {
  id: string;
  projectId: string;
  modelId: string;
  uri: string;
  bytes: number;
  manifestSha256: string;
}

@Injectable()
export class ImportedCheckpointRepository {
  constructor(private readonly database: Database) {}

  /** Makes it the model's next step. The caller's transaction holds the model's row. */
  async insert(draft: ImportedCheckpointDraft): Promise<{ step: number; createdAt: Date }> {
    const { id, projectId, modelId } = draft;
    const rows = await this.database.client.$queryRaw<{ step: number; createdAt: Date }[]>`
      WITH next AS (
        UPDATE trainable_models SET last_step = last_step + 1
        WHERE project_id = ${projectId}::uuid AND id = ${modelId}::uuid RETURNING last_step AS step)
      INSERT INTO checkpoints (project_id, id, model_id, step, parent_step, kind, uri, bytes, manifest_sha256)
      SELECT ${projectId}::uuid, ${id}::uuid, ${modelId}::uuid, step, 0, 'import', ${draft.uri}, ${draft.bytes}::bigint,
        ${draft.manifestSha256} FROM next
      RETURNING step, created_at AS "createdAt"`;
    return rows[0] as { step: number; createdAt: Date };
  }
}
