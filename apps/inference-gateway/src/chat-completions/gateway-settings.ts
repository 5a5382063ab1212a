import { Injectable } from '@nestjs/common';

import type { GatewayConfiguration } from '../configuration/gateway-configuration.js';
import { DEFAULT_CONFIGURATION } from '../configuration/read-configuration.js';
import type { BodyLimits } from './read-body.js';

/** What the operator decides about every request. */
export interface GatewaySettings {
  readonly limits: {
    readonly body: BodyLimits;
    /** Largest `top_logprobs` and `prompt_logprobs`; -1: the whole vocabulary may be asked for. */
    readonly maxLogprobs: number;
    /** Largest `n`. */
    readonly maxChoices: number;
  };
  /** Headers that may name the project that pays, lower-case; the first one present wins. */
  readonly projectHeaders: readonly string[];
  /** Callers' headers that go on to upstreams, lower-case. */
  readonly forwardHeaders: readonly string[];
  /** Origins that browsers may call from; `*`: all. */
  readonly corsOrigins: readonly string[];
  /** Traces hold the text of prompts. */
  readonly isTextTraced: boolean;
}

/** The settings of the moment: those of the upstreams file as it was read last. */
@Injectable()
export class SettingsStore {
  current: GatewaySettings = toSettings(DEFAULT_CONFIGURATION);

  apply(configuration: GatewayConfiguration): void {
    this.current = toSettings(configuration);
  }
}

const toSettings = ({ limits, ...rest }: GatewayConfiguration): GatewaySettings => ({
  limits: {
    body: { maxBytes: limits.maxBodyBytes, timeoutMs: limits.bodyTimeoutMs },
    maxLogprobs: limits.maxLogprobs,
    maxChoices: limits.maxN,
  },
  projectHeaders: rest.projectHeaders,
  forwardHeaders: rest.forwardHeaders,
  corsOrigins: rest.corsOrigins,
  isTextTraced: rest.isTextTraced,
});
