import { runReplica } from '@hone/platform';

import { TraceModule } from './trace.module.js';

await runReplica(TraceModule);
