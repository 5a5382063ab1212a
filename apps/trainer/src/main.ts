import { readServiceConfig, runService } from '@hone/platform';

import { TrainerModule } from './trainer.module.js';

await runService(TrainerModule, () => ({
  name: 'trainer',
  description: 'Leases training jobs and runs them. Nothing is asked of it but its probes.',
  config: readServiceConfig(),
}));
