import { inOneRoute, type Route } from '../../dispatch/route/route.js';
import type { ChatRequest } from '../../targets/target.js';
import type { AliasSplit } from '../trained/trained-model.js';
import { assertFits } from './assert-fits.js';

/** A trained model at one step. */
export interface PinnedCheckpoint {
  /** `model` of its answers. */
  readonly name: string;
  readonly modelId: string;
  readonly step: number;
  /** Null: the base model at step 0. */
  readonly id: string | null;
}

/** What a model id means for one request. */
export interface ResolvedModel {
  /** With the targets of its fallbacks after its own. */
  readonly route: Route;
  /** The pinned checkpoint of a trained model; null: none. */
  readonly checkpoint: PinnedCheckpoint | null;
  readonly isTrained: boolean;
  /** Models that answer when it does not, in order; they have none themselves. */
  readonly fallbacks: readonly ResolvedModel[];
  /** Of the alias that it was found by. Null: it was found otherwise, or the alias has none. */
  readonly split: AliasSplit | null;
  /** Project of a trained model, `<entity>/<project>`; null: a route, which belongs to none. */
  readonly projectId: string | null;
  /**
   * Refuses what no target of the model can honour.
   *
   * @param readers ids of models that read images, for a refusal of some
   * @throws GatewayError 400, 422, 502, 503
   */
  assertFits(request: ChatRequest, readers: () => readonly string[]): void | Promise<void>;
  /** Tokens of the request's prompt. @throws GatewayError 400, 422, 502, 503 */
  countTokens(request: ChatRequest): Promise<number>;
}

/** The first model, which the others stand in for. Where two names mean one route, it counts once. @param models at least one */
export function inOrder(models: readonly ResolvedModel[]): ResolvedModel {
  const different = models.filter(({ route }, at) => models.findIndex((other) => other.route === route) === at);
  return different.length === 1 ? (different[0] as ResolvedModel) : asOne(different);
}

/**
 * Those of the models of {@link inOrder} that may answer.
 *
 * @param mayAnswer by the id of a route; true for at least one of them
 */
export function narrowTo(model: ResolvedModel, mayAnswer: (routeId: string) => boolean): ResolvedModel {
  const [own = model.route] = model.route.parts ?? [];
  return asOne([withRoute(model, own), ...model.fallbacks].filter(({ route }) => mayAnswer(route.id)));
}

function asOne(models: readonly ResolvedModel[]): ResolvedModel {
  const [first, ...fallbacks] = models as [ResolvedModel, ...ResolvedModel[]];
  return { ...withRoute(first, inOneRoute(models.map(({ route }) => route))), fallbacks };
}

const withRoute = (model: ResolvedModel, route: Route): ResolvedModel => ({
  ...model,
  route,
  assertFits: (request, readers) => assertFits(route, request, readers),
});

/** The checkpoint of a model or of one of its fallbacks, by the name that its answers have. Null: it is none of theirs. */
export const checkpointNamed = (
  { checkpoint, fallbacks }: Pick<ResolvedModel, 'checkpoint' | 'fallbacks'>,
  name: string,
): PinnedCheckpoint | null =>
  [checkpoint, ...fallbacks.map((model) => model.checkpoint)].find((one) => one?.name === name) ?? null;
