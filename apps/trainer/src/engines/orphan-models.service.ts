import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { deleteWeights, type TinkerClient, type TinkerTrainingEngine, unloadModel } from '@hone/tinker';

import { ENGINE_MODELS, REMOTE_ENGINES } from '../config/trainer.tokens.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import type { EngineModelsRepository } from './engine-models.repository.js';

const EVERY_MS = 10_000;
const DELETE_MS = 5_000;

/**
 * Unloads the models that killed attempts left at remote engines, where they take room from others, and deletes weights
 * there that no job resumes from and no checkpoint is continued from any more.
 */
@Injectable()
export class OrphanModelsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private isSweeping = false;

  constructor(
    @Inject(REMOTE_ENGINES) private readonly engines: readonly TinkerTrainingEngine[],
    @Inject(ENGINE_MODELS) private readonly models: EngineModelsRepository,
    private readonly log: TrainerLog,
  ) {}

  onApplicationBootstrap(): void {
    if (this.engines.length > 0) this.timer = setInterval(() => void this.sweep(), EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    if (this.isSweeping) return;
    this.isSweeping = true;
    try {
      await Promise.all(this.engines.map((engine) => this.sweepEngine(engine)));
    } catch (error) {
      // The database or the server does not answer; the next sweep may reach both.
      this.log.warn({ err: error }, 'models of ended attempts could not be unloaded');
    } finally {
      this.isSweeping = false;
    }
  }

  private async sweepEngine({ client, settings: { name } }: TinkerTrainingEngine): Promise<void> {
    for (const modelId of await this.models.findOrphans(name)) {
      await unloadModel(client, modelId);
      await this.models.remove(name, modelId);
      this.log.info({ engine: name, model: modelId }, 'a model of an ended attempt was unloaded');
    }
    for (const path of await this.models.findOrphanWeights(name)) {
      await this.deleteWeights(client, path);
      await this.models.removeWeights(name, path);
    }
  }

  private async deleteWeights(client: TinkerClient, path: string): Promise<void> {
    const fields = { engine: client.settings.name, path };
    try {
      await deleteWeights(client, path, AbortSignal.timeout(DELETE_MS));
      this.log.info(fields, 'weights that no checkpoint needs were deleted');
    } catch (error) {
      if ((error as { code?: string }).code !== 'engine.failed') throw error;
      // The server would refuse again.
      this.log.warn({ ...fields, reason: (error as Error).message }, 'weights were left at their engine');
    }
  }
}
