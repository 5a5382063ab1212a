import type { GatewayConfiguration } from '../configuration/gateway-configuration.js';
import type { RequestLimits } from './parse-chat-request.js';
import type { BodyLimits } from './read-body.js';

/** What the operator decides about every request. */
export interface GatewaySettings {
  readonly limits: {
    readonly body: BodyLimits;
    readonly request: RequestLimits;
  };
  /** Headers that may name the project that pays, lower-case; the first one present wins. */
  readonly projectHeaders: readonly string[];
}

export const GATEWAY_SETTINGS = Symbol('gateway settings');

/** How long a body may take to come. */
const BODY_TIMEOUT_MS = 60_000;

export function toGatewaySettings({ limits, projectHeaders }: GatewayConfiguration): GatewaySettings {
  return {
    limits: {
      body: { maxBytes: limits.maxBodyBytes, timeoutMs: BODY_TIMEOUT_MS },
      request: { maxLogprobs: limits.maxLogprobs, maxChoices: limits.maxN, minPriority: 0 },
    },
    projectHeaders,
  };
}
