import { openArtifactStore } from '@hone/artifacts';
import { newId } from '@hone/database';
import { Logger, type Provider } from '@nestjs/common';

import { EmbeddedModels } from '../embedded/index.js';
import { readDataDir } from '../inference-gateway.config.js';
import { SYSTEM_CLOCK } from '../upstreams/clock.js';
import { CheckpointHolds } from './checkpoint-holds.js';
import { CheckpointNotices } from './checkpoint-notices.js';
import { CheckpointPinsRepository } from './checkpoint-pins.repository.js';
import { HoldsLifecycle } from './holds-lifecycle.js';
import { TrainedModelsRepository } from './trained-models.repository.js';
import { TrainedModels } from './trained-models.service.js';
import { TrainedRoutes } from './trained-routes.js';

const HOLDS: Provider = {
  provide: CheckpointHolds,
  useFactory: (pins: CheckpointPinsRepository) => {
    const logger = new Logger(CheckpointHolds.name);
    const onFailure = (error: unknown) => logger.warn(`checkpoints are not pinned: ${(error as Error).name}`);
    return new CheckpointHolds(pins, { holder: `gateway:${newId()}`, clock: SYSTEM_CLOCK, onFailure });
  },
  inject: [CheckpointPinsRepository],
};

const ROUTES: Provider = {
  provide: TrainedRoutes,
  useFactory: (engine: EmbeddedModels, holds: CheckpointHolds) =>
    new TrainedRoutes({ engine, holds, store: openArtifactStore(readDataDir()) }),
  inject: [EmbeddedModels, CheckpointHolds],
};

/** Trained models, for the module of the gateway, which has the engine. */
export const TRAINED_PROVIDERS: Provider[] = [
  CheckpointNotices,
  CheckpointPinsRepository,
  HOLDS,
  HoldsLifecycle,
  ROUTES,
  TrainedModels,
  TrainedModelsRepository,
];
