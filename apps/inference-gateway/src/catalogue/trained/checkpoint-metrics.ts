import { Injectable } from '@nestjs/common';

import { MetricRegistry } from '../../shared/metrics/metric-registry.js';
import { CheckpointHolds } from './checkpoint-holds.js';

/** Metrics of the checkpoints that this process holds. */
@Injectable()
export class CheckpointMetrics {
  constructor(registry: MetricRegistry, holds: CheckpointHolds) {
    registry.observed('checkpoints', 'Checkpoints of trained models that are held.', ['state'], (gauge) => {
      for (const [state, count] of Object.entries(holds.counts())) gauge.set({ state }, count);
    });
  }
}
