import { readServiceConfig, runService } from '@hone/platform';

import { InferenceGatewayModule } from './inference-gateway.module.js';

await runService(InferenceGatewayModule, () => ({
  name: 'inference-gateway',
  description: 'Serves models: chat completions, the model list and usage.',
  config: readServiceConfig(),
}));
