import type {
  GatewayFailureDto,
  GatewayLatencyDto,
  GatewayRouteDto,
  GatewayStateDto,
  GatewayTargetDto,
  GatewayUpstreamDto,
} from '@hone/contracts';

import type { ConfiguredUpstream } from '../catalogue/routes/route-table.js';
import type { Quantiles } from '../dispatch/health/latency-window.js';
import { type FailedAttempt, RECENT_SECONDS } from '../dispatch/health/recent-attempts.js';
import type { TargetState } from '../dispatch/health/target-state.js';
import { FAULT_TABLE } from '../dispatch/policy/fault-table.js';
import type { Route } from '../dispatch/route/route.js';
import type { Clock } from '../shared/time/clock.js';

/** What the caller may see. */
interface View {
  readonly isOperator: boolean;
  /** The name of a route, by its id. */
  mayName(route: string): boolean;
  /** Of each target, at most. */
  readonly failures: number;
}

interface GatewayState {
  readonly instance: { readonly id: string; readonly startedAt: Date; readonly hostname: string };
  readonly isFileRefused: boolean;
  readonly routes: readonly Route[];
  readonly trainedRoutes: readonly Route[];
  readonly upstreams: readonly ConfiguredUpstream[];
  readonly view: View;
  readonly clock: Clock;
}

export function toGatewayStateDto(state: GatewayState): GatewayStateDto {
  const { instance, routes, trainedRoutes, upstreams, view, clock } = state;
  const times = new WallTimes(clock);
  const all = [...routes, ...trainedRoutes].flatMap(({ tiers }) => tiers.flatMap(({ targets }) => targets));
  return {
    instance: {
      id: instance.id,
      started_at: instance.startedAt.toISOString(),
      hostname: view.isOperator ? instance.hostname : null,
    },
    read_at: times.at(times.clockMs),
    window_seconds: RECENT_SECONDS,
    file_refused: state.isFileRefused,
    routes: [
      ...routes.map((route) => toRoute(route, 'configured')),
      ...trainedRoutes.map((route) => toRoute(route, 'trained')),
    ],
    targets: [...new Set(all.map((target) => target.state))].map((target) => toTarget(target, view, times)),
    upstreams: upstreams.map((upstream) => toUpstream(upstream, view)),
  };
}

/** Times of the gateway's clock as times of day. */
class WallTimes {
  readonly clockMs: number;
  private readonly wallMs = Date.now();

  constructor(clock: Clock) {
    this.clockMs = clock.now();
  }

  at(clockMs: number): string {
    return new Date(this.wallMs + clockMs - this.clockMs).toISOString();
  }

  /** @param ms from now; 0: null */
  in(ms: number): string | null {
    return ms === 0 ? null : this.at(this.clockMs + ms);
  }
}

const toRoute = ({ id, aliases, strategy, streamGuard, tiers }: Route, kind: GatewayRouteDto['kind']) => ({
  id,
  kind,
  aliases: [...aliases],
  strategy,
  stream_guard: streamGuard,
  queued: tiers.reduce((sum, { waiting }) => sum + waiting, 0),
  targets: tiers.flatMap(({ targets }) =>
    targets.map(({ state, priority, weight }) => ({ target: idOf(state), priority, weight })),
  ),
});

/** The targets of all steps of a trained model have the same name in metrics: their base model's. */
const idOf = ({ target, name }: TargetState): string =>
  target.pinned === undefined ? name : `${target.upstream}/${target.pinned.name}`;

function toTarget(state: TargetState, view: View, times: WallTimes): GatewayTargetDto {
  const { target, breaker, cooldown, recent } = state;
  return {
    id: idOf(state),
    upstream: target.upstream,
    model: target.model,
    healthy: state.isUsable,
    breaker: {
      state: breaker.state,
      since: times.at(times.clockMs - breaker.sinceMs),
      half_open_at: times.in(breaker.opensInMs),
    },
    out_until: times.in(state.outForMs),
    cooling_until: times.in(cooldown.leftMs),
    in_flight: state.inFlight,
    max_concurrency: state.maxConcurrency,
    queued: state.queue.length,
    attempts: recent.total,
    failed: recent.failures,
    latency_ms: toLatency(recent.durationMs),
    first_token_ms: toLatency(recent.firstTokenMs),
    failures: recent.lastFailures(view.failures).map((failure) => toFailure(failure, view, times)),
  };
}

const toLatency = (quantiles: Quantiles | null): GatewayLatencyDto | null =>
  quantiles && { p50: rounded(quantiles.p50), p99: rounded(quantiles.p99) };

const toFailure = (failure: FailedAttempt, view: View, times: WallTimes): GatewayFailureDto => ({
  at: times.at(failure.atMs),
  route: view.mayName(failure.route) ? failure.route : 'trained',
  request_id: view.isOperator ? failure.rid : null,
  attempt: failure.number,
  reason: failure.reason,
  code: FAULT_TABLE[failure.reason].code ?? 'upstream_rejected',
  upstream_status: failure.upstreamStatus,
  duration_ms: rounded(failure.durationMs),
  forwarded: failure.isForwarded,
  breaker: failure.breaker,
  moved_to: failure.movedTo,
});

function toUpstream({ configuration, upstream }: ConfiguredUpstream, { isOperator }: View): GatewayUpstreamDto {
  const { name, engine, isEnabled } = configuration;
  const adapters = upstream.heldAdapters?.();
  return {
    name,
    kind: engine.kind === 'embedded' ? 'embedded' : 'openai-compatible',
    enabled: isEnabled,
    host: isOperator && engine.kind !== 'embedded' ? new URL(engine.baseUrl).host : null,
    adapters:
      adapters === undefined
        ? null
        : {
            max: adapters.max,
            held: adapters.list.length,
            list: isOperator
              ? adapters.list.map(({ modelId, step, state, running }) => ({
                  model_id: modelId,
                  step,
                  state,
                  in_flight: running,
                }))
              : null,
          },
  };
}

/** To microseconds. */
const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;
