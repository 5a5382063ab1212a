import { setFlagsFromString } from 'node:v8';

import { readServiceConfig, runService } from '@hone/platform';

import { UpstreamsFile } from './catalogue/configuration/upstreams.config.js';
import { InferenceGatewayModule } from './inference-gateway.module.js';

/** Time after the drain for failure frames, and for flushing the journal to the database. */
const AFTER_DRAIN_MS = 1_000;

/**
 * Allocation-site pretenuring is off: V8 sees that objects of running requests survive a collection, and then allocates
 * such objects in the old space, where each keeps its request alive until the next full collection. That feeds back: a
 * third of the processor time went into copying dead requests.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

await runService(InferenceGatewayModule, () => ({
  name: 'inference-gateway',
  description: 'Serves models: chat completions, the model list and usage.',
  config: readServiceConfig(),
  stopMs: new UpstreamsFile().read().drainMs + AFTER_DRAIN_MS,
}));
