import type { Principal } from '@hone/auth';

import type { Route } from '../routing/route.js';
import type { ChatRequest } from '../upstreams/target.js';

/** What a model id means for one request. */
export interface ResolvedModel {
  readonly route: Route;
  /** What the answer shows as `model`; null: what the target calls itself. */
  readonly answerModel: string | null;
  /** The pinned checkpoint of a trained model; null: none. */
  readonly checkpoint: { readonly id: string | null; readonly step: number } | null;
  readonly isTrained: boolean;
  /** Faults of the request that only its model can see. @throws GatewayError 400, 422 */
  assertFits(request: ChatRequest): void | Promise<void>;
}

/** One entry of the model list. */
export interface ListedModel {
  readonly id: string;
  /** Unix seconds; the same at each call. */
  readonly created: number;
  readonly ownedBy: string;
  readonly root: string;
}

/** Every model that may be asked for. */
export interface RouteDirectory {
  /** At once for what is configured. Null: there is none, or the caller may not read it. */
  find(model: string, caller: Principal): ResolvedModel | null | Promise<ResolvedModel | null>;
  list(caller: Principal): Promise<readonly ListedModel[]>;
  /** One entry, by any name of it. Null: there is none, or the caller may not read it. */
  findListed(id: string, caller: Principal): Promise<ListedModel | null>;
}

export const ROUTE_DIRECTORY = Symbol('route directory');
