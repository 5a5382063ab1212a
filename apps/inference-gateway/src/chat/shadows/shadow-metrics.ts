import { Injectable } from '@nestjs/common';

import { MetricRegistry } from '../../shared/metrics/metric-registry.js';

/** What became of a request that was drawn for a shadow. */
export type ShadowResult = 'answered' | 'failed' | 'shed' | 'over_cap' | 'refused';

/** Metrics of the requests that shadows answer. */
@Injectable()
export class ShadowMetrics {
  private readonly requests;

  constructor(registry: MetricRegistry) {
    this.requests = registry.counter('shadow_requests_total', 'Requests that were drawn for a shadow.', ['result']);
  }

  count(result: ShadowResult): void {
    this.requests.add(1, result);
  }
}
