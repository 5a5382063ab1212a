import { type CheckpointNotification, CHECKPOINTS_CHANNEL, Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Notifies every gateway that a model, or some of its checkpoints, were made or deleted. */
@Injectable()
export class CheckpointNotifications {
  constructor(private readonly database: Database) {}

  /**
   * Delivered at the commit of the ambient transaction, one for each step.
   *
   * @param steps 0: it is about the model itself
   */
  async announce(modelId: string, steps: readonly number[]): Promise<void> {
    const payloads = steps.map((step) => JSON.stringify({ model_id: modelId, step } satisfies CheckpointNotification));
    await this.database.client.$executeRaw`
      SELECT pg_notify(${CHECKPOINTS_CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`;
  }
}
