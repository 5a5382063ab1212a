import type { Provider } from '@nestjs/common';

import { UserHash } from './logging/user-hash.js';
import { UserHashRepository } from './logging/user-hash.repository.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { TargetMetrics } from './metrics/target-metrics.js';
import { Telemetry } from './telemetry.js';

/** Metrics, logs and spans. The module that imports them provides `CONFIGURED_ROUTES`. */
export const TELEMETRY_PROVIDERS: Provider[] = [RequestMetrics, TargetMetrics, Telemetry, UserHash, UserHashRepository];
