import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type TinkerTrainingEngine, unloadModel } from '@hone/tinker';

import { ENGINE_MODELS, REMOTE_ENGINES } from '../config/trainer.tokens.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import type { EngineModelsRepository } from './engine-models.repository.js';

const EVERY_MS = 10_000;

/** Unloads the models that killed attempts left at remote engines, where they take room from others. */
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
  }
}
