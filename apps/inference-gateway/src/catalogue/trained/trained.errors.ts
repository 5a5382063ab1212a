import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY, RETRY, retryAfter } from '../../shared/errors/retry-headers.js';

/** The rate limit on look-ups of models that this process does not know yet. */
export const tooManyLookups = (waitMs: number) =>
  new GatewayError(429, 'rate_limit_error', 'rate_limit_requests', 'Too many models are looked up at once.', {
    headers: retryAfter(waitMs),
  });

/**
 * No target can compute with the base model. Only an operator can change that.
 *
 * @param reason a sentence that says why; null: unknown
 */
export const baseModelNotServed = (baseModel: string, reason: string | null = null) =>
  notServed(`No target serves the base '${baseModel}'${reason === null ? '.' : `: ${reason}`}`);

/** All models that a route names are missing. Only an operator can change that. */
export const routeNotServed = (route: string, reason: string) =>
  notServed(`The route '${route}' has no target: ${reason}`);

const notServed = (sentence: string) =>
  new GatewayError(503, 'overloaded_error', 'base_model_not_served', sentence, {
    headers: { ...NO_RETRY, 'retry-after': '60' },
  });

/** The bytes in the store are not those that were committed. Other weights never answer in their place. */
export const checkpointDamaged = (name: string) =>
  new GatewayError(502, 'upstream_error', 'storage_corrupt', `The checkpoint ${name} is damaged; it is not served.`, {
    headers: NO_RETRY,
    param: 'model',
  });

/** The artifact store is unavailable, or the engine restarts. */
export const modelUnavailable = (name: string) =>
  new GatewayError(503, 'overloaded_error', 'overloaded', `The model ${name} cannot be loaded at the moment.`, {
    headers: { ...RETRY, ...retryAfter(5_000) },
  });
