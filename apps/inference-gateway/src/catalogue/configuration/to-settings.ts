import type { GatewaySettings } from '../../shared/gateway-settings.js';
import type { GatewayConfiguration } from './gateway-configuration.js';

/** The part of the configuration that every request sees. */
export const toSettings = (configuration: GatewayConfiguration): GatewaySettings => {
  const { limits, projectHeaders, forwardHeaders, corsOrigins, isTextTraced } = configuration;
  return {
    limits: {
      body: { maxBytes: limits.maxBodyBytes, timeoutMs: limits.bodyTimeoutMs },
      maxLogprobs: limits.maxLogprobs,
      maxChoices: limits.maxN,
    },
    projectHeaders,
    forwardHeaders,
    corsOrigins,
    isTextTraced,
  };
};
