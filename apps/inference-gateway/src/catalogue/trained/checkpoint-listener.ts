import { type CheckpointNotification, CHECKPOINTS_CHANNEL, NotificationListener } from '@hone/database';
import { Injectable, Logger } from '@nestjs/common';

import type { ResolvedRef } from './trained-model.js';
import { TrainedModels } from './trained-models.service.js';

/** Invalidates what this process knows of a model when the model changes. */
@Injectable()
export class CheckpointListener {
  private readonly logger = new Logger(CheckpointListener.name);

  constructor(
    private readonly notifications: NotificationListener,
    private readonly trained: TrainedModels,
  ) {}

  /** @param load is given the newest checkpoint of a model that is in use */
  async start(load: (ref: ResolvedRef) => Promise<void>): Promise<void> {
    this.notifications.onGap(() => this.trained.invalidateAll());
    await this.notifications.listen(CHECKPOINTS_CHANNEL, (payload) => void this.apply(payload, load));
  }

  private async apply(payload: string, load: (ref: ResolvedRef) => Promise<void>): Promise<void> {
    const modelId = modelIdOf(payload);
    // A payload that cannot be read may be about any model.
    if (modelId === null) return this.trained.invalidateAll();
    try {
      const newest = await this.trained.invalidate(modelId);
      if (newest !== null) await load(newest);
    } catch (error) {
      // Not fatal: the request that needs the checkpoint gets the error.
      const { cause = error } = error as { cause?: unknown };
      const { code, name } = cause as { code?: unknown; name?: unknown };
      this.logger.warn(`the newest checkpoint of ${modelId} was not loaded: ${String(code ?? name)}`);
    }
  }
}

function modelIdOf(payload: string): string | null {
  try {
    const { model_id: id } = JSON.parse(payload) as { [Key in keyof CheckpointNotification]?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
