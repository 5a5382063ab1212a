import { readServiceConfig, runService } from '@hone/platform';

import { readEvaluationConfig } from './config/evaluation.config.js';
import { EvaluationModule } from './evaluation.module.js';

await runService(
  EvaluationModule.forRoot(() => readEvaluationConfig()),
  () => ({
    name: 'evaluation',
    description: 'Judges calls and compares models.',
    config: readServiceConfig(),
  }),
);
