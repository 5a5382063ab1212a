import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** A checkpoint whose bytes are kept as long as its pin is renewed. */
export interface PinnedCheckpoint {
  readonly id: string;
  /** Deleted: only requests that began before still use it. */
  readonly isDeleted: boolean;
}

/** Which process still reads the bytes of which checkpoint. */
@Injectable()
export class CheckpointPinsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Pins checkpoints, or renews what is pinned. Checkpoints whose bytes are gone are left out; the lock makes a
   * collector that is about to remove them see the pin, or the pin see that they are gone.
   *
   * @param holder `gateway:<process>`
   */
  pin(holder: string, checkpointIds: readonly string[], seconds: number): Promise<PinnedCheckpoint[]> {
    return this.database.client.$queryRaw<PinnedCheckpoint[]>`
      WITH kept AS MATERIALIZED (
        SELECT project_id, id, deleted_at FROM checkpoints
        WHERE id = ANY(${[...checkpointIds]}::uuid[]) AND bytes_gone_at IS NULL ORDER BY id FOR SHARE
      ), pinned AS (
        INSERT INTO checkpoint_pins (project_id, checkpoint_id, holder, expires_at)
        SELECT project_id, id, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}) FROM kept
        ON CONFLICT (project_id, checkpoint_id, holder) DO UPDATE SET expires_at = EXCLUDED.expires_at
      )
      SELECT id, deleted_at IS NOT NULL AS "isDeleted" FROM kept`;
  }

  async unpin(holder: string, checkpointIds: readonly string[]): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM checkpoint_pins WHERE holder = ${holder} AND checkpoint_id = ANY(${[...checkpointIds]}::uuid[])`;
  }

  async unpinAll(holder: string): Promise<void> {
    await this.database.client.checkpointPin.deleteMany({ where: { holder } });
  }
}
