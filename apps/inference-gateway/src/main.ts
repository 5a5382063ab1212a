import { setFlagsFromString } from 'node:v8';

import { readServiceConfig, runService } from '@hone/platform';

import { UpstreamsFile } from './catalogue/configuration/upstreams.config.js';
import { InferenceGatewayModule } from './inference-gateway.module.js';

/** After the drain: failure frames, and the journal's way to the database. */
const AFTER_DRAIN_MS = 1_000;

/**
 * V8 notices that much of what a request makes outlives a garbage collection, for its answer is under way, and then makes
 * such objects where the long-lived ones are. There each holds all that belongs to its request until the next full
 * collection, so that even more is long-lived: a third of the processor's time went into copying dead requests.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

await runService(InferenceGatewayModule, () => ({
  name: 'inference-gateway',
  description: 'Serves models: chat completions, the model list and usage.',
  config: readServiceConfig(),
  stopMs: new UpstreamsFile().read().drainMs + AFTER_DRAIN_MS,
}));
