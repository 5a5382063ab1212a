import { readServiceConfig, runService } from '@hone/platform';

import { UpstreamsFile } from './configuration/upstreams.config.js';
import { InferenceGatewayModule } from './inference-gateway.module.js';

/** After the drain: failure frames, and the journal's way to the database. */
const AFTER_DRAIN_MS = 1_000;

await runService(InferenceGatewayModule, () => ({
  name: 'inference-gateway',
  description: 'Serves models: chat completions, the model list and usage.',
  config: readServiceConfig(),
  stopMs: new UpstreamsFile().read().drainMs + AFTER_DRAIN_MS,
}));
