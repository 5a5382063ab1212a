import { readServiceConfig, runService } from '@hone/platform';

import { readTrainerConfig } from './config/trainer.config.js';
import { TrainerModule } from './trainer.module.js';

await runService(
  TrainerModule.forRoot(() => readTrainerConfig()),
  () => ({
    name: 'trainer',
    description: 'Leases training jobs and runs them. Nothing is asked of it but its probes.',
    config: readServiceConfig(),
  }),
);
