import { runService } from '@hone/platform';

import { readTrainingConfig, readTrainingServiceConfig } from './config/training.config.js';
import { TrainingModule } from './training.module.js';

await runService(
  TrainingModule.forRoot(() => readTrainingConfig()),
  () => ({
    name: 'training',
    description: 'Trains models: jobs, checkpoints, trajectories and artifacts.',
    config: readTrainingServiceConfig(),
  }),
);
