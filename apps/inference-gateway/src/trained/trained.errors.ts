import { GatewayError } from '../chat-completions/gateway-error.js';

/** A key asks for many models that this process does not know yet. */
export const tooManyLookups = (waitMs: number) => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new GatewayError(429, 'rate_limit_error', 'rate_limit_requests', 'Too many models are looked up at once.', {
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) },
  });
};

/** Nothing here can compute with the base model. Only an operator can change that. */
export const baseModelNotServed = (baseModel: string) =>
  new GatewayError(503, 'overloaded_error', 'base_model_not_served', `No target serves the base '${baseModel}'.`, {
    headers: { 'x-should-retry': 'false', 'retry-after': '60' },
  });

/** The bytes in the store are not those that were committed. Other weights never answer in their place. */
export const checkpointDamaged = (name: string) =>
  new GatewayError(502, 'upstream_error', 'storage_corrupt', `The checkpoint ${name} is damaged; it is not served.`, {
    headers: { 'x-should-retry': 'false' },
    param: 'model',
  });

/** The store is away, or the engine starts again. */
export const modelUnavailable = (name: string) =>
  new GatewayError(503, 'overloaded_error', 'overloaded', `The model ${name} cannot be loaded at the moment.`, {
    headers: { 'x-should-retry': 'true', 'retry-after': '5', 'retry-after-ms': '5000' },
  });
