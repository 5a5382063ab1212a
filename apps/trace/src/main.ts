import { runService } from '@hone/platform';

import { readTraceConfig } from './trace.config.js';
import { TraceModule } from './trace.module.js';

await runService(TraceModule, () => ({
  name: 'trace',
  description: 'Feedback, object versions, annotation queues, models, evaluations and calls.',
  config: readTraceConfig(),
}));
