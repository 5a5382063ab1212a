import { Module } from '@nestjs/common';

import { EvaluationMetrics } from './evaluation-metrics.js';
import { QueueFiguresRepository } from './queue-figures.repository.js';

/** Metrics of the service's own. */
@Module({ providers: [EvaluationMetrics, QueueFiguresRepository], exports: [EvaluationMetrics] })
export class TelemetryModule {}
