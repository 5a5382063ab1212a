import type { ArtifactStore } from '@hone/artifacts';
import { LRUCache } from 'lru-cache';

import { DEFAULT_LIMITS } from '../../dispatch/policy/limits.js';
import { type Route, type RouteTarget, toTiers, withoutCache } from '../../dispatch/route/route.js';
import type { TrainedCheckpoint, TrainedWeights } from '../../targets/upstream.js';
import { PLAIN_ROUTE, type RouteTable } from '../routes/route-table.js';
import type { CheckpointHolds } from './checkpoint-holds.js';
import { type ResolvedRef, stepOf, type StoredCheckpoint } from './trained-model.js';

/** Routes are cheap to make again; only the health of their targets is lost with one. */
const MAX_ROUTES = 1_000;

/** Rules for a base model that has no route of its own. */
const { cache: _cache, ...RULES } = PLAIN_ROUTE;
const PLAIN = { ...RULES, limits: DEFAULT_LIMITS };

/** The routes of trained models: one for each pinned step, by the rules of its base model's route. */
export class TrainedRoutes {
  private readonly routes = new WeakMap<RouteTable, LRUCache<string, Route>>();

  constructor(
    private readonly holds: CheckpointHolds,
    private readonly store: ArtifactStore,
  ) {}

  /**
   * The targets that can load the weights; after them, if the base model's route allows it, its other targets. A route
   * without targets: nothing serves the base model.
   *
   * @param name the reference with its step
   */
  route(table: RouteTable, ref: ResolvedRef, name: string): Route {
    const routes = this.routes.get(table) ?? new LRUCache<string, Route>({ max: MAX_ROUTES });
    this.routes.set(table, routes);
    const key = `${ref.model.id}:${stepOf(ref)}`;
    const route = routes.get(key) ?? this.build(table, ref, name);
    routes.set(key, route);
    return route;
  }

  /** The routes that were asked for, the latest first. */
  list(table: RouteTable): readonly Route[] {
    return [...(this.routes.get(table)?.values() ?? [])];
  }

  private build(table: RouteTable, ref: ResolvedRef, name: string): Route {
    const { baseModel } = ref.model;
    const own = table.find(baseModel);
    const trained = table.trainedTargets(this.weightsOf(ref, name), own);
    const others = own?.trainedFallback ? fallbacksOf(table, own, baseModel) : [];
    return {
      listedModel: null,
      ...(own ? withoutCache(own) : PLAIN),
      id: name,
      aliases: [],
      tiers: toTiers([...trained, ...others]),
    };
  }

  private weightsOf(ref: ResolvedRef, name: string): TrainedWeights {
    const { checkpoint, model } = ref;
    const headers = {
      'hone-policy-version': String(stepOf(ref)),
      ...(checkpoint && { 'hone-checkpoint': checkpoint.id }),
    };
    return {
      pinned: { name, headers },
      modelId: model.id,
      step: stepOf(ref),
      baseModel: model.baseModel,
      checkpoint: checkpoint && this.checkpointOf(checkpoint),
    };
  }

  private checkpointOf({ id, manifestSha256, uri }: StoredCheckpoint): TrainedCheckpoint {
    const { holds, store } = this;
    return {
      id,
      manifestSha256,
      localPath: () => store.localPath(uri),
      hold: () => holds.hold(id),
      enter: () => holds.enter(id),
    };
  }
}

/** Targets that may answer in place of a trained model, under their own names, when no target with its weights can. */
function fallbacksOf(table: RouteTable, { tiers }: Route, baseModel: string): RouteTarget[] {
  const targets = tiers.flatMap((tier) => tier.targets);
  const isBase = (target: RouteTarget) => target.state.target.model === baseModel && table.loadsTrainedWeights(target);
  return targets.filter((target) => !isBase(target)).map((target) => ({ ...target, priority: target.priority + 1 }));
}
