import type { FolderFile } from '@hone/artifacts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';

/** Jobs that the pace is taken from: the latest ones. */
const SAMPLE_JOBS = 20;

@Injectable()
export class DiagnosisRepository {
  constructor(private readonly database: Database) {}

  /** Step of the checkpoint that a job would train; 0: the base. */
  async findLatestStep({ projectId, id }: ModelRecord): Promise<number> {
    const { client } = this.database;
    const where = { projectId, modelId: id, deletedAt: null };
    return (await client.checkpoint.aggregate({ where, _max: { step: true } }))._max.step ?? 0;
  }

  /** Whether a live checkpoint has this step. */
  async hasStep({ projectId, id }: ModelRecord, step: number): Promise<boolean> {
    const where = { projectId, modelId: id, step, deletedAt: null };
    return (await this.database.client.checkpoint.count({ where })) > 0;
  }

  /** Tokens that jobs on this base model trained in a second. Null: none has. */
  async findPace(baseModel: string): Promise<number | null> {
    const rows = await this.database.client.$queryRaw<{ pace: number | null }[]>`
      SELECT sum(tokens) / nullif(sum(seconds), 0) AS pace FROM (
        SELECT (j.tokens ->> 'processed')::float8 AS tokens,
          extract(epoch FROM j.finished_at - j.running_at)::float8 AS seconds
        FROM training_jobs j JOIN trainable_models m ON m.project_id = j.project_id AND m.id = j.model_id
        WHERE m.base_model = ${baseModel} AND j.status = 'succeeded' AND j.num_sequences > 0 AND j.rollouts IS NULL
        ORDER BY j.ordinal DESC LIMIT ${SAMPLE_JOBS}) jobs`;
    return rows[0]?.pace ?? null;
  }

  /** Files of a version of an artifact, and the uri of their folder. */
  async findFiles(versionId: string): Promise<{ uri: string; files: FolderFile[] } | null> {
    const row = await this.database.client.artifactVersion.findUnique({ where: { id: versionId } });
    return row && { uri: row.uri, files: row.files as unknown as FolderFile[] };
  }
}
