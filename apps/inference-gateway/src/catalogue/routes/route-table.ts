import { isDeepStrictEqual } from 'node:util';

import { isHosted } from '@hone/calls';

import { TargetState } from '../../dispatch/health/target-state.js';
import { DEFAULT_LIMITS } from '../../dispatch/policy/limits.js';
import { AnswerCache } from '../../dispatch/route/answer-cache.js';
import { type Route, type RouteTarget, toTiers } from '../../dispatch/route/route.js';
import type { Clock } from '../../shared/time/clock.js';
import type { UpstreamSettings } from '../../targets/registry/upstream-registry.js';
import type { TrainedWeights, Upstream } from '../../targets/upstream.js';
import type {
  GatewayConfiguration,
  RouteConfiguration,
  TargetConfiguration,
  UpstreamConfiguration,
} from '../configuration/gateway-configuration.js';

/** An upstream of the configuration, disabled or not. */
export interface ConfiguredUpstream {
  readonly configuration: UpstreamConfiguration;
  readonly upstream: Upstream;
}

/** An upstream, with the states of the targets that routes use. */
interface OpenUpstream extends ConfiguredUpstream {
  readonly states: Map<string, TargetState>;
}

/** A target that a route names, though its upstream does not have the model. */
export interface MissingTarget {
  readonly route: string;
  readonly upstream: string;
  readonly model: string;
}

/**
 * All routes of a configuration. The models of the embedded engine that no route is called after have a route of their own.
 * A target whose model is not there is left out: the table that is built when the model comes has it.
 */
export class RouteTable {
  /** Targets that were left out. */
  readonly missing: MissingTarget[] = [];
  private readonly routes: readonly Route[];
  private readonly byId = new Map<string, Route>();
  private readonly upstreams = new Map<string, OpenUpstream>();

  /**
   * @param openUpstream opens the engine behind an upstream
   * @param previous the table that this one replaces: an upstream with the same configuration keeps its connections
   *   and its targets' health
   */
  constructor(
    private readonly configuration: GatewayConfiguration,
    private readonly openUpstream: (settings: UpstreamSettings) => Upstream,
    private readonly clock: Clock,
    previous: RouteTable | null = null,
  ) {
    for (const upstream of configuration.upstreams) this.upstreams.set(upstream.name, this.open(upstream, previous));
    this.routes = this.allRoutes().map((route) => this.build(route));
    for (const route of this.routes) for (const id of [route.id, ...route.aliases]) this.byId.set(id, route);
  }

  /** Models of the embedded engine that routes of the configuration name, each with the ids of these routes. */
  namedModels(): ReadonlyMap<string, readonly string[]> {
    const routesOf = new Map<string, string[]>();
    for (const { id, targets } of this.configuration.routes ?? []) {
      for (const { upstream, model } of targets) {
        if (this.upstreams.get(upstream)?.configuration.engine.kind !== 'embedded') continue;
        routesOf.set(model, [...(routesOf.get(model) ?? []), id]);
      }
    }
    return routesOf;
  }

  /** @param id of a route, or an alias */
  find(id: string): Route | null {
    return this.byId.get(id) ?? null;
  }

  list(): readonly Route[] {
    return this.routes;
  }

  listUpstreams(): readonly ConfiguredUpstream[] {
    return [...this.upstreams.values()];
  }

  /**
   * New targets for trained weights: one at each enabled upstream that can load them. An upstream that has the base
   * model itself comes before one that might have it.
   *
   * @param own the base model's route, whose rules for its upstreams hold; null: there is none
   */
  trainedTargets(weights: TrainedWeights, own: Route | null): RouteTarget[] {
    const { baseModel } = weights;
    const able = [...this.upstreams.values()].filter(
      ({ configuration, upstream }) => configuration.isEnabled && upstream.loadsTrained?.(baseModel),
    );
    const listed = able.filter(({ upstream }) => upstream.models.includes(baseModel));
    return (listed.length > 0 ? listed : able).flatMap(({ configuration, upstream }) => {
      const target = upstream.trainedTarget?.(weights);
      if (target === undefined) return [];
      const { name, maxConcurrency, health, limits } = configuration;
      const state = new TargetState(target, maxConcurrency, health, this.clock);
      const { weight, priority } = targetOf(own, name, baseModel) ?? { weight: 1, priority: 0 };
      return [{ state, weight, priority, limits: { ...DEFAULT_LIMITS, ...limits } }];
    });
  }

  /** Whether a target's upstream can load weights that were trained from the target's model. */
  loadsTrainedWeights({ state }: RouteTarget): boolean {
    const { upstream, model } = state.target;
    return this.upstreams.get(upstream)?.upstream.loadsTrained?.(model) ?? false;
  }

  /** The upstreams that the next table does not have are no longer used. */
  retire(next: RouteTable): void {
    const kept = new Set([...next.upstreams.values()].map(({ upstream }) => upstream));
    for (const { upstream } of this.upstreams.values()) if (!kept.has(upstream)) upstream.retire?.();
  }

  /** Closes connections, once the requests under way have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.upstreams.values()].map(({ upstream }) => upstream.close()));
  }

  private open(configuration: UpstreamConfiguration, previous: RouteTable | null): OpenUpstream {
    const before = previous?.upstreams.get(configuration.name);
    if (before && isDeepStrictEqual(before.configuration, configuration)) {
      for (const state of before.states.values()) state.readmit();
      before.upstream.readmit?.();
      return before;
    }
    // A replaced upstream is left to its requests: its idle connections close by themselves.
    return { configuration, upstream: this.openUpstream(configuration.engine), states: new Map() };
  }

  private build({ targets, limits, cache, ...route }: RouteConfiguration): Route {
    const routeTargets = targets.flatMap((target) => {
      const upstream = this.upstreams.get(target.upstream) as OpenUpstream;
      if (!upstream.configuration.isEnabled) return [];
      const state = this.stateOf(upstream, target.model);
      if (state === null) {
        this.missing.push({ route: route.id, upstream: target.upstream, model: target.model });
        return [];
      }
      const { weight, priority } = target;
      const all = { ...DEFAULT_LIMITS, ...upstream.configuration.limits, ...limits };
      return [{ state, weight, priority, limits: all }];
    });
    const tiers = toTiers(routeTargets);
    const kept = cache && { cache: new AnswerCache(cache) };
    const all = { ...DEFAULT_LIMITS, ...limits };
    return { ...route, ...kept, limits: all, tiers, listedModel: this.hostedModel(targets[0]) };
  }

  /** The model of a target, if the provider of a hosted model serves it: what other servers answer is free. */
  private hostedModel(target: TargetConfiguration | undefined): string | null {
    const engine = target && this.upstreams.get(target.upstream)?.configuration.engine;
    return engine?.kind === 'openai-compatible' && isHosted(engine.baseUrl) ? (target?.model ?? null) : null;
  }

  /** One state per upstream and model, however many routes use it. Null: the upstream does not have the model. */
  private stateOf({ configuration, upstream, states }: OpenUpstream, model: string): TargetState | null {
    const target = upstream.target(model);
    if (target === null) return null;
    const known = states.get(model);
    if (known?.target === target) return known;
    const { maxConcurrency, health } = configuration;
    const state = new TargetState(target, maxConcurrency, health, this.clock);
    states.set(model, state);
    return state;
  }

  private allRoutes(): readonly RouteConfiguration[] {
    const { routes } = this.configuration;
    if (routes === null) return this.modelRoutes(() => true);
    const taken = new Set(routes.flatMap(({ id, aliases }) => [id, ...aliases]));
    const own = this.modelRoutes(({ engine }) => engine.kind === 'embedded');
    return [...routes, ...own.filter(({ id }) => !taken.has(id))];
  }

  /** A route for each model of an upstream, by its own name; the first upstream that has it comes first. */
  private modelRoutes(hasRoutes: (upstream: UpstreamConfiguration) => boolean): RouteConfiguration[] {
    const targets = new Map<string, TargetConfiguration[]>();
    for (const { configuration, upstream } of this.upstreams.values()) {
      if (!configuration.isEnabled || !hasRoutes(configuration)) continue;
      for (const model of upstream.models) {
        const target = { upstream: configuration.name, model, weight: 1, priority: 0 };
        targets.set(model, [...(targets.get(model) ?? []), target]);
      }
    }
    return [...targets].map(([id, list]) => ({ ...PLAIN_ROUTE, id, targets: list }));
  }
}

/** The target of a model at an upstream, if the route has one. */
const targetOf = (route: Route | null, upstream: string, model: string): RouteTarget | undefined =>
  route?.tiers
    .flatMap(({ targets }) => targets)
    .find(({ state: { target } }) => target.upstream === upstream && target.model === model);

/** The rules of a route that the configuration does not list. */
export const PLAIN_ROUTE: Omit<RouteConfiguration, 'id' | 'targets'> = {
  aliases: [],
  strategy: 'least_busy',
  streamGuard: 'passthrough',
  limits: {},
  price: null,
  trustChatTemplate: false,
  trainedFallback: false,
  cache: null,
};
