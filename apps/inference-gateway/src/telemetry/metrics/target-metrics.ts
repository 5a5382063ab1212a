import { Inject, Injectable } from '@nestjs/common';

import type { TargetState } from '../../dispatch/health/target-state.js';
import type { Route, RouteTarget } from '../../dispatch/route/route.js';
import { MetricRegistry } from '../../shared/metrics/metric-registry.js';

/** The currently configured routes. */
export interface ConfiguredRoutes {
  routes(): readonly Route[];
  /** The changed upstreams file is invalid: the previous configuration stays in effect. */
  readonly isFileRefused: boolean;
}

/** Injection token of the {@link ConfiguredRoutes}. */
export const CONFIGURED_ROUTES = Symbol('configured routes');

const BREAKER_STATES = ['closed', 'half-open', 'open'] as const;

/** Gauges of the targets of configured routes, read at each scrape. */
@Injectable()
export class TargetMetrics {
  constructor(
    registry: MetricRegistry,
    @Inject(CONFIGURED_ROUTES) private readonly directory: ConfiguredRoutes,
  ) {
    registry.observed('target_in_flight', 'Attempts that run.', ['target'], (gauge) =>
      this.each((target, { inFlight }) => gauge.set({ target }, inFlight)),
    );
    registry.observed('target_usable', '1: requests may be sent there.', ['target'], (gauge) =>
      this.each((target, { isUsable }) => gauge.set({ target }, Number(isUsable))),
    );
    registry.observed('breaker_state', '1 for the state that it is in.', ['target', 'state'], (gauge) =>
      this.each((target, { breaker }) => {
        for (const state of BREAKER_STATES) gauge.set({ target, state }, Number(breaker.state === state));
      }),
    );
    registry.observed(
      'upstreams_file_refused',
      '1: the file is wrong, and the configuration before it stays in effect.',
      [],
      (gauge) => gauge.set(Number(this.directory.isFileRefused)),
    );
    registry.observed('queued_requests', 'Requests that wait for a slot.', ['route'], (gauge) => {
      for (const { id, tiers } of this.directory.routes()) {
        gauge.set(
          { route: id },
          tiers.reduce((sum, { waiting }) => sum + waiting, 0),
        );
      }
    });
  }

  /** Calls back for each target once, for any number of routes to it. */
  private each(show: (target: string, state: TargetState) => void): void {
    const all = this.directory.routes().flatMap(({ tiers }) => tiers.flatMap(({ targets }) => targets));
    for (const state of new Set(all.map((target: RouteTarget) => target.state))) {
      show(state.name, state);
    }
  }
}
