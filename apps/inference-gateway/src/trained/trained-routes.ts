import { DEFAULT_LIMITS } from '../routing/limits.js';
import { type Route, type RouteTarget, toTiers } from '../routing/route.js';
import type { RouteTable } from '../routing/route-table.js';
import { LazyEmbeddedTarget } from '../models/lazy-embedded-target.js';
import { RecentMap } from './recent-map.js';
import { type ResolvedRef, stepOf } from './trained-model.js';
import { TrainedTarget, type TrainedTargetTools } from './trained-target.js';

/** Routes are cheap to make again; what is lost with one is what is known of its targets' health. */
const MAX_ROUTES = 1_000;

/** A base model that has no route of its own is served by these rules. */
const PLAIN = {
  strategy: 'least_busy',
  streamGuard: 'passthrough',
  limits: DEFAULT_LIMITS,
  price: null,
  trustChatTemplate: false,
  trainedFallback: false,
} as const;

/** The routes of trained models: each pinned step has one, by the rules of its base model's route. */
export class TrainedRoutes {
  private readonly routes = new WeakMap<RouteTable, RecentMap<string, Route>>();

  constructor(private readonly tools: TrainedTargetTools) {}

  /**
   * The targets that have the base model, each with the pinned weights; if the base model's route allows it, after
   * them its other targets. Without any target: nothing serves the base model.
   *
   * @param name the reference with its step
   */
  route(table: RouteTable, ref: ResolvedRef, name: string): Route {
    const routes = this.routes.get(table) ?? new RecentMap<string, Route>(MAX_ROUTES);
    this.routes.set(table, routes);
    const key = `${ref.model.id}:${stepOf(ref)}`;
    const route = routes.get(key) ?? this.build(table, ref, name);
    routes.set(key, route);
    return route;
  }

  private build(table: RouteTable, ref: ResolvedRef, name: string): Route {
    const own = table.find(ref.model.baseModel);
    const pinned = table.embeddedTargets((upstream) => new TrainedTarget(this.tools, ref, upstream, name));
    const others = own?.trainedFallback ? fallbacksOf(own, ref.model.baseModel) : [];
    return { ...(own ?? PLAIN), id: name, aliases: [], tiers: toTiers([...pinned, ...others]) };
  }
}

/** What may answer in place of the trained model, after all that can compute with it; under its own name. */
function fallbacksOf({ tiers }: Route, baseModel: string): RouteTarget[] {
  const targets = tiers.flatMap((tier) => tier.targets);
  const isBase = ({ state: { target } }: RouteTarget) =>
    target instanceof LazyEmbeddedTarget && target.model === baseModel;
  return targets.filter((target) => !isBase(target)).map((target) => ({ ...target, priority: target.priority + 1 }));
}
