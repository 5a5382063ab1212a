import type { Provider } from '@nestjs/common';

import { ROUTE_DIRECTORY } from '../models/route-directory.js';
import { CheckpointMetrics } from './checkpoint-metrics.js';
import { MetricRegistry } from './metric-registry.js';
import { Observability } from './observability.js';
import { RequestMetrics } from './request-metrics.js';
import { CONFIGURED_ROUTES, TargetMetrics } from './target-metrics.js';
import { UserHash } from './user-hash.js';
import { UserHashRepository } from './user-hash.repository.js';

/** What the gateway's module needs to be looked at. */
export const OBSERVABILITY: Provider[] = [
  CheckpointMetrics,
  MetricRegistry,
  Observability,
  RequestMetrics,
  TargetMetrics,
  UserHash,
  UserHashRepository,
  { provide: CONFIGURED_ROUTES, useExisting: ROUTE_DIRECTORY },
];
