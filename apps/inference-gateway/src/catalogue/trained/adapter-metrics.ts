import { Injectable } from '@nestjs/common';

import { MetricRegistry } from '../../shared/metrics/metric-registry.js';
import type { AdapterObserver } from '../../targets/registry/upstream-registry.js';

type Pool = Parameters<AdapterObserver['opened']>[1];
type Event = Parameters<AdapterObserver['happened']>[1];

/** Metrics of the adapters that this process has loaded into servers. */
@Injectable()
export class AdapterMetrics implements AdapterObserver {
  private readonly pools = new Map<string, Pool>();
  private readonly events;

  constructor(registry: MetricRegistry) {
    const labels = ['upstream', 'state'] as const;
    registry.observed('adapters', 'Adapters in servers, loaded by this process.', labels, (gauge) => {
      for (const [upstream, pool] of this.pools) {
        if (pool.isClosed) continue;
        for (const [state, count] of Object.entries(pool.states())) gauge.set({ upstream, state }, count);
      }
    });
    const help = 'Loads and unloads of adapters, failed loads, and losses by restarts.';
    this.events = registry.counter('adapter_events_total', help, ['upstream', 'event']);
  }

  opened(upstream: string, pool: Pool): void {
    this.pools.set(upstream, pool);
  }

  happened(upstream: string, event: Event): void {
    this.events.add(1, upstream, event);
  }
}
