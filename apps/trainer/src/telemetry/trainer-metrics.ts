import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Counter, Gauge, type Registry } from 'prom-client';

import { EngineMetrics } from './engine-metrics.js';

/**
 * How an attempt ended. `retried`: it failed and the job is queued again. `drained`: a stopping worker requeued the
 * job. `postponed`: its engine was unreachable or at capacity. `lost`: the lease ended.
 */
export type AttemptOutcome = 'succeeded' | 'failed' | 'retried' | 'cancelled' | 'drained' | 'postponed' | 'lost';

/** The metrics of jobs, and of the engines that train them. */
@Injectable()
export class TrainerMetrics {
  readonly engines: EngineMetrics;
  private readonly attempts: Counter<'outcome'>;
  private readonly steps: Counter;
  private readonly running: Gauge;

  constructor(host: HttpAdapterHost) {
    const { metrics } = host.httpAdapter.getInstance<{ metrics: Registry }>();
    const registers = [metrics];
    this.engines = new EngineMetrics(metrics);
    this.attempts = new Counter({
      name: 'trainer_attempts_total',
      help: 'Attempts at jobs, by how they ended.',
      labelNames: ['outcome'],
      registers,
    });
    this.steps = new Counter({ name: 'trainer_gradient_steps_total', help: 'Gradient steps.', registers });
    this.running = new Gauge({ name: 'trainer_jobs_running', help: 'Jobs that are worked on.', registers });
  }

  begin(): void {
    this.running.inc();
  }

  end(outcome: AttemptOutcome): void {
    this.running.dec();
    this.attempts.inc({ outcome });
  }

  step(): void {
    this.steps.inc();
  }
}
