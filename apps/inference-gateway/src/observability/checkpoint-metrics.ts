import { Injectable } from '@nestjs/common';

import { CheckpointHolds } from '../trained/checkpoint-holds.js';
import { MetricRegistry } from './metric-registry.js';

/** What `/metrics` tells about the checkpoints of trained models that this process holds. */
@Injectable()
export class CheckpointMetrics {
  constructor(registry: MetricRegistry, holds: CheckpointHolds) {
    registry.observed('checkpoints', 'Checkpoints of trained models that are held.', ['state'], (gauge) => {
      for (const [state, count] of Object.entries(holds.counts())) gauge.set({ state }, count);
    });
  }
}
