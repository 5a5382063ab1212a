import type { RequestLimits } from './parse-chat-request.js';
import type { BodyLimits } from './read-body.js';

/** What the operator decides about every request. */
export interface GatewaySettings {
  readonly limits: {
    readonly body: BodyLimits;
    readonly request: RequestLimits;
  };
  /** Headers that may name the project that pays; the first one present wins. */
  readonly projectHeaders: readonly string[];
}

export const GATEWAY_SETTINGS = Symbol('gateway settings');

export const DEFAULT_GATEWAY_SETTINGS: GatewaySettings = {
  limits: {
    body: { maxBytes: 32 * 1_048_576, timeoutMs: 60_000 },
    request: { maxLogprobs: 20, maxChoices: 128, minPriority: 0 },
  },
  projectHeaders: ['Hone-Project', 'OpenAI-Project'],
};
