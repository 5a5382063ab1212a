import { openArtifactStore } from '@hone/artifacts';
import { newId } from '@hone/database';
import { Logger, type Provider } from '@nestjs/common';

import { readDataDir } from '../../shared/gateway.config.js';
import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import { AdapterMetrics } from './adapter-metrics.js';
import { CheckpointHolds } from './checkpoint-holds.js';
import { CheckpointListener } from './checkpoint-listener.js';
import { CheckpointMetrics } from './checkpoint-metrics.js';
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
  useFactory: (holds: CheckpointHolds) => new TrainedRoutes(holds, openArtifactStore(readDataDir())),
  inject: [CheckpointHolds],
};

/** Trained models: references, checkpoints in use, and their routes. */
export const TRAINED_PROVIDERS: Provider[] = [
  AdapterMetrics,
  CheckpointListener,
  CheckpointMetrics,
  CheckpointPinsRepository,
  HOLDS,
  HoldsLifecycle,
  ROUTES,
  TrainedModels,
  TrainedModelsRepository,
];
