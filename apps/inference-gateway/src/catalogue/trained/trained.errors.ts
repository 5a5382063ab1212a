import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY, RETRY, retryAfter } from '../../shared/errors/retry-headers.js';

/** The rate limit on look-ups of models that this process does not know yet. */
export class TooManyLookupsError extends GatewayError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'rate_limit_requests';
  constructor(waitMs: number) {
    super('Too many models are looked up at once.', { headers: retryAfter(waitMs) });
  }
}

/** Nothing computes with what the request names. Only an operator can change that. */
export class ModelNotServedError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'base_model_not_served';

  private constructor(sentence: string) {
    super(sentence, { headers: { ...NO_RETRY, 'retry-after': '60' } });
  }

  /**
   * No target can compute with the base model.
   *
   * @param reason a sentence that says why; null: unknown
   */
  static ofBase(baseModel: string, reason: string | null = null): ModelNotServedError {
    return new ModelNotServedError(`No target serves the base '${baseModel}'${reason === null ? '.' : `: ${reason}`}`);
  }

  /** All models that a route names are missing. */
  static ofRoute(route: string, reason: string): ModelNotServedError {
    return new ModelNotServedError(`The route '${route}' has no target: ${reason}`);
  }
}

/** The bytes in the store are not those that were committed. Other weights never answer in their place. */
export class CheckpointDamagedError extends GatewayError {
  static override readonly kind = 'bad_gateway';
  static override readonly code = 'storage_corrupt';
  constructor(name: string) {
    super(`The checkpoint ${name} is damaged; it is not served.`, { headers: NO_RETRY, param: 'model' });
  }
}

/** The artifact store is unavailable, or the engine restarts. */
export class ModelUnavailableError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'overloaded';
  constructor(name: string) {
    super(`The model ${name} cannot be loaded at the moment.`, { headers: { ...RETRY, ...retryAfter(5_000) } });
  }
}
