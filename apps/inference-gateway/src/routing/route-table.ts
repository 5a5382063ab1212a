import { isDeepStrictEqual } from 'node:util';

import { ConfigurationError } from '../configuration/configuration.errors.js';
import type {
  GatewayConfiguration,
  HttpUpstreamConfiguration,
  RouteConfiguration,
  TargetConfiguration,
  UpstreamConfiguration,
} from '../configuration/gateway-configuration.js';
import type { Clock } from '../upstreams/clock.js';
import { HttpTarget } from '../upstreams/http/http-target.js';
import { HttpUpstream } from '../upstreams/http/http-upstream.js';
import type { Target } from '../upstreams/target.js';
import { DEFAULT_LIMITS } from './limits.js';
import { type Route, type RouteTarget, toTiers } from './route.js';
import { TargetState } from './target-state.js';

/** The models of the embedded engine. */
export interface EmbeddedTargets {
  /** Names of the models that are routes of their own unless the configuration lists routes. */
  readonly models: readonly string[];
  /**
   * @param upstream what the configuration calls the engine
   * @returns null when the engine has no such model
   */
  target(upstream: string, model: string): Target | null;
}

/** An upstream with the targets that were made of it. */
interface OpenUpstream {
  readonly configuration: UpstreamConfiguration;
  readonly server: HttpUpstream | null;
  readonly states: Map<string, TargetState>;
}

/** All routes of a configuration. */
export class RouteTable {
  private readonly routes: readonly Route[];
  private readonly byId = new Map<string, Route>();
  private readonly upstreams = new Map<string, OpenUpstream>();

  /**
   * @param previous the table that this one replaces: an upstream whose configuration is the same keeps its connections
   *   and what is known of its health
   * @throws ConfigurationError a route names a model that the embedded engine does not have
   */
  constructor(
    private readonly configuration: GatewayConfiguration,
    private readonly embedded: EmbeddedTargets,
    private readonly clock: Clock,
    previous: RouteTable | null = null,
  ) {
    for (const upstream of configuration.upstreams) this.upstreams.set(upstream.name, this.open(upstream, previous));
    this.routes = (configuration.routes ?? this.ownRoutes()).map((route) => this.build(route));
    for (const route of this.routes) for (const id of [route.id, ...route.aliases]) this.byId.set(id, route);
  }

  /** The route that a caller means by `id`, an alias or the id of a route. */
  find(id: string): Route | null {
    return this.byId.get(id) ?? null;
  }

  list(): readonly Route[] {
    return this.routes;
  }

  /**
   * A target beside those of the routes, at each enabled upstream of the embedded engine.
   *
   * @param make is given what the configuration calls the engine
   */
  embeddedTargets(make: (upstream: string) => Target): RouteTarget[] {
    const upstreams = this.configuration.upstreams.filter(({ kind, isEnabled }) => kind === 'embedded' && isEnabled);
    return upstreams.map(({ name, maxConcurrency, health, limits }) => ({
      state: new TargetState(make(name), maxConcurrency, health, this.clock),
      weight: 1,
      priority: 0,
      limits: { ...DEFAULT_LIMITS, ...limits },
    }));
  }

  /** Closes connections, once what is under way has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.upstreams.values()].map(async ({ server }) => server?.close()));
  }

  private open(configuration: UpstreamConfiguration, previous: RouteTable | null): OpenUpstream {
    const before = previous?.upstreams.get(configuration.name);
    if (before && isDeepStrictEqual(before.configuration, configuration)) {
      for (const state of before.states.values()) state.readmit();
      return before;
    }
    // A replaced one is left to its requests: idle connections close by themselves, and then nothing is left of it.
    const server = configuration.kind === 'embedded' ? null : new HttpUpstream(configuration);
    return { configuration, server, states: new Map() };
  }

  private build({ targets, limits, ...route }: RouteConfiguration): Route {
    const routeTargets = targets.flatMap((target) => {
      const upstream = this.upstreams.get(target.upstream) as OpenUpstream;
      if (!upstream.configuration.isEnabled) return [];
      const { weight, priority } = target;
      const all = { ...DEFAULT_LIMITS, ...upstream.configuration.limits, ...limits };
      return [{ state: this.stateOf(upstream, target), weight, priority, limits: all }];
    });
    return { ...route, limits: { ...DEFAULT_LIMITS, ...limits }, tiers: toTiers(routeTargets) };
  }

  /** One per upstream and model, whatever the number of routes to it. */
  private stateOf(upstream: OpenUpstream, { model, line }: TargetConfiguration): TargetState {
    const known = upstream.states.get(model);
    if (known) return known;
    const { maxConcurrency, health, name } = upstream.configuration;
    const target = this.targetOf(upstream, model);
    if (target === null) throw new ConfigurationError('HONE_UPSTREAMS', line, `${name} has no model ${model}.`);
    const state = new TargetState(target, maxConcurrency, health, this.clock);
    upstream.states.set(model, state);
    return state;
  }

  private targetOf({ configuration, server }: OpenUpstream, model: string): Target | null {
    if (server === null) return this.embedded.target(configuration.name, model);
    const { models } = configuration as HttpUpstreamConfiguration;
    const described = models.find(({ name }) => name === model);
    if (described === undefined) return null;
    const { contextLength, capabilities } = described;
    const declared = capabilities && new Set(capabilities);
    return new HttpTarget(server, { name: model, contextLength, capabilities: declared }, this.clock);
  }

  /** Every upstream model by its own name; the first upstream that has it comes first. */
  private ownRoutes(): RouteConfiguration[] {
    const targets = new Map<string, TargetConfiguration[]>();
    for (const upstream of this.configuration.upstreams.filter(({ isEnabled }) => isEnabled)) {
      const models = upstream.kind === 'embedded' ? this.embedded.models : upstream.models.map(({ name }) => name);
      for (const model of models) {
        const target = { upstream: upstream.name, model, weight: 1, priority: 0, line: null };
        targets.set(model, [...(targets.get(model) ?? []), target]);
      }
    }
    return [...targets].map(([id, list]) => ({
      id,
      aliases: [],
      strategy: 'least_busy',
      streamGuard: 'passthrough',
      limits: {},
      targets: list,
      price: null,
      trustChatTemplate: false,
      trainedFallback: false,
    }));
  }
}
