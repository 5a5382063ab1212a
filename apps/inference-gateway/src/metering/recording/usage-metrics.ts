import { Injectable } from '@nestjs/common';

import type { LabelledCounter } from '../../shared/metrics/labelled-counter.js';
import { MetricRegistry } from '../../shared/metrics/metric-registry.js';

/** Metrics of metering. All should be 0, or return to it. */
@Injectable()
export class UsageMetrics {
  readonly unjournalled;
  readonly rejected;
  readonly writeFailures;
  readonly limitFailures;
  /** Hours and months whose sums differ from their records, at the last check. */
  drift = 0;

  constructor(private readonly registry: MetricRegistry) {
    this.unjournalled = this.counter(
      'unjournalled_total',
      'Records that were not journalled before their answer went out.',
    );
    this.rejected = this.counter(
      'rejected_total',
      'Records that the database will never take; they are in rejected.jsonl.',
    );
    this.writeFailures = this.counter(
      'write_failures_total',
      'Batches that did not reach the database and are retried.',
    );
    this.limitFailures = this.counter('limit_failures_total', 'Times that shared limits could not be read.');
    this.observe('drift', 'Hourly and monthly sums that differ from their records.', () => this.drift);
  }

  /** A gauge that is read at each scrape. */
  observe(name: string, help: string, read: () => number): void {
    this.registry.observed(`usage_${name}`, help, [], (gauge) => gauge.set(read()));
  }

  private counter(name: string, help: string): LabelledCounter {
    return this.registry.counter(`usage_${name}`, help, []);
  }
}
