import { describeServiceBasics } from '@hone/testing';

import { InferenceGatewayModule } from '../inference-gateway.module.js';

describeServiceBasics(InferenceGatewayModule);
