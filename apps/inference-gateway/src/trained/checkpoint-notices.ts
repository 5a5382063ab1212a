import { CHECKPOINTS_CHANNEL, type CheckpointNotification, NotificationListener } from '@hone/database';
import { Injectable, Logger } from '@nestjs/common';

import type { ResolvedRef } from './trained-model.js';
import { TrainedModels } from './trained-models.service.js';

/** Hears of what becomes of models, and has it take effect in this process. */
@Injectable()
export class CheckpointNotices {
  private readonly logger = new Logger(CheckpointNotices.name);

  constructor(
    private readonly notifications: NotificationListener,
    private readonly trained: TrainedModels,
  ) {}

  /** @param load is given the newest checkpoint of a model that is in use */
  async start(load: (ref: ResolvedRef) => Promise<void>): Promise<void> {
    this.notifications.onGap(() => this.trained.doubtAll());
    await this.notifications.listen(CHECKPOINTS_CHANNEL, (payload) => void this.apply(payload, load));
  }

  private async apply(payload: string, load: (ref: ResolvedRef) => Promise<void>): Promise<void> {
    const modelId = modelIdOf(payload);
    // Nobody knows what it is about.
    if (modelId === null) return this.trained.doubtAll();
    try {
      const newest = await this.trained.forget(modelId);
      if (newest !== null) await load(newest);
    } catch (error) {
      // The request that needs it is told what is wrong.
      const { code, name } = error as { code?: unknown; name?: unknown };
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
