import { readServiceConfig, runService } from '@hone/platform';

import { TrainingModule } from './training.module.js';

await runService(TrainingModule, () => ({
  name: 'training',
  description: 'Trains models: jobs, checkpoints, trajectories and artifacts.',
  config: readServiceConfig(),
}));
