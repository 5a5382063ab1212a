import type { Route } from '../../dispatch/route/route.js';
import type { ChatRequest } from '../../targets/target.js';

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
  readonly route: Route;
  /** The pinned checkpoint of a trained model; null: none. */
  readonly checkpoint: PinnedCheckpoint | null;
  readonly isTrained: boolean;
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
