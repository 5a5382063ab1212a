import { PeriodicJob } from '@hone/platform';
import { deleteWeights, type TinkerClient, type TinkerTrainingEngine, unloadModel } from '@hone/tinker';
import { Inject, Injectable } from '@nestjs/common';

import { REMOTE_ENGINES } from '../config/trainer.tokens.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import { EngineModelsRepository } from './engine-models.repository.js';

const EVERY_MS = 10_000;
const DELETE_MS = 5_000;

/**
 * Unloads the models that killed attempts left at remote engines, where they take memory from others. Deletes weights
 * there from which no job resumes and no checkpoint is continued.
 */
@Injectable()
export class OrphanModelsService extends PeriodicJob {
  constructor(
    @Inject(REMOTE_ENGINES) private readonly engines: readonly TinkerTrainingEngine[],
    private readonly models: EngineModelsRepository,
    private readonly log: TrainerLog,
  ) {
    super(EVERY_MS);
  }

  async run(): Promise<void> {
    try {
      await Promise.all(this.engines.map((engine) => this.sweepEngine(engine)));
    } catch (error) {
      // The database or the server does not answer; the next sweep may reach both.
      this.log.warn({ err: error }, 'models of ended attempts could not be unloaded');
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
      // A permanent refusal: the server would refuse a retry, too.
      this.log.warn({ ...fields, reason: (error as Error).message }, 'weights were left at their engine');
    }
  }
}
