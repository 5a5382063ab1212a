import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** "hone.gc" in ASCII: held by the one process that collects. */
const COLLECTOR_LOCK = 29_382_733_690_068_835n;

/** Finds the stored bytes that no row refers to. Ages are measured by the database's clock. */
@Injectable()
export class GarbageRepository {
  constructor(private readonly database: Database) {}

  /** Runs `work` unless another process collects at this moment. */
  async withLock(work: () => Promise<void>, timeoutMs: number): Promise<boolean> {
    return this.database.transaction(
      async () => {
        const [row] = await this.database.client.$queryRaw<{ isOurs: boolean }[]>`
          SELECT pg_try_advisory_xact_lock(${COLLECTOR_LOCK}) AS "isOurs"`;
        if (!row?.isOurs) return false;
        await this.database.detached(work);
        return true;
      },
      { timeoutMs },
    );
  }

  /**
   * Marks the bytes of deleted checkpoints as gone, if no pin and no live row needs them; returns their uris. Requests
   * that found a checkpoint just before it was deleted have a minute to pin it.
   */
  async markDeletedCheckpoints(limit: number): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ uri: string }[]>`
      WITH gone AS (
        SELECT DISTINCT uri FROM checkpoints c
        WHERE deleted_at < now() - interval '1 minute' AND bytes_gone_at IS NULL
          AND NOT EXISTS (SELECT FROM checkpoints live WHERE live.uri = c.uri
            AND (live.deleted_at IS NULL OR live.deleted_at >= now() - interval '1 minute'))
          AND NOT EXISTS (SELECT FROM checkpoints same JOIN checkpoint_pins p
            ON p.project_id = same.project_id AND p.checkpoint_id = same.id
            WHERE same.uri = c.uri AND (p.expires_at IS NULL OR p.expires_at > now()))
        LIMIT ${limit})
      UPDATE checkpoints SET bytes_gone_at = now() FROM gone WHERE checkpoints.uri = gone.uri
      RETURNING checkpoints.uri`;
    return [...new Set(rows.map(({ uri }) => uri))];
  }

  /** Returns the uris that a checkpoint with bytes refers to. */
  async findCheckpointUris(uris: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.client.$queryRaw<{ uri: string }[]>`
      SELECT uri FROM checkpoints WHERE uri = ANY (${[...uris]}) AND bytes_gone_at IS NULL`;
    return new Set(rows.map(({ uri }) => uri));
  }

  /** Returns the uris that a log batch refers to. */
  async findLogUris(uris: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.client.$queryRaw<{ uri: string }[]>`
      SELECT uri FROM log_batches WHERE uri = ANY (${[...uris]})`;
    return new Set(rows.map(({ uri }) => uri));
  }

  /** Uris of the folders of all artifact versions that are not deleted. */
  async listArtifactUris(): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ uri: string }[]>`
      SELECT uri FROM artifact_versions WHERE deleted_at IS NULL`;
    return rows.map(({ uri }) => uri);
  }

  /** Deletes up to `limit` trajectories of deleted models; returns how many there were. */
  async deleteTrajectories(limit: number): Promise<number> {
    // LATERAL: one look into the index for each deleted model, never a scan of what is live.
    return this.database.client.$executeRaw`
      DELETE FROM trajectories WHERE ctid = ANY (ARRAY(
        SELECT t.ctid FROM trainable_models m CROSS JOIN LATERAL (
          SELECT ctid FROM trajectories
          WHERE project_id = m.project_id AND model_id = m.id LIMIT ${limit}) t
        WHERE m.deleted_at IS NOT NULL LIMIT ${limit}))`;
  }

  /**
   * Job id -> not ended, ended, or ended 30 days ago or of a model that is deleted by now; a job that is missing in the map
   * does not exist.
   */
  async findJobAges(ids: readonly string[]): Promise<Map<string, 'open' | 'over' | 'expired'>> {
    const rows = await this.database.client.$queryRaw<{ id: string; age: 'open' | 'over' | 'expired' }[]>`
      SELECT j.id, CASE WHEN j.finished_at IS NULL THEN 'open'
        WHEN j.finished_at < now() - interval '30 days' OR m.deleted_at IS NOT NULL THEN 'expired' ELSE 'over' END AS age
      FROM training_jobs j LEFT JOIN trainable_models m ON m.project_id = j.project_id AND m.id = j.model_id
      WHERE j.id = ANY (${[...ids]}::uuid[])`;
    return new Map(rows.map(({ id, age }) => [id, age]));
  }

  /** Deletes jobs and events of models that were deleted long ago. */
  async deleteOldJobs(): Promise<number> {
    return this.database.client.$executeRaw`
      WITH old AS (
        SELECT j.project_id, j.id FROM training_jobs j
        JOIN trainable_models m ON m.project_id = j.project_id AND m.id = j.model_id
        WHERE m.deleted_at < now() - interval '30 days' AND j.finished_at < now() - interval '30 days'
        LIMIT 1000),
      groups AS (
        DELETE FROM training_job_groups g USING old WHERE g.project_id = old.project_id AND g.job_id = old.id),
      events AS (
        DELETE FROM training_job_events e USING old WHERE e.project_id = old.project_id AND e.job_id = old.id)
      DELETE FROM training_jobs j USING old WHERE j.project_id = old.project_id AND j.id = old.id`;
  }
}
