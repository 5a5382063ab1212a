import { Injectable } from '@nestjs/common';

/** Limits of a request body. */
export interface BodyLimits {
  /** Size limit of the inflated body. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Limits of the fields of a request. */
export interface RequestLimits {
  /** Largest `top_logprobs` and `prompt_logprobs`; -1: callers may request the whole vocabulary. */
  readonly maxLogprobs: number;
  /** Largest `n`. */
  readonly maxChoices: number;
}

export interface JournalSettings {
  /** `write`: usage survives a killed process. `fsync`: it survives a crashed machine as well. */
  readonly sync: 'write' | 'fsync';
  /** While the journal cannot be written: `refuse` answers 503, `serve` answers requests that may stay unbilled. */
  readonly onFailure: 'refuse' | 'serve';
}

/** Settings of the operator that apply to every request. */
export interface GatewaySettings {
  readonly limits: RequestLimits & { readonly body: BodyLimits };
  /** Headers that may name the billed project, lower-case; the first present header wins. */
  readonly projectHeaders: readonly string[];
  /** Callers' headers that are forwarded to upstreams, lower-case. */
  readonly forwardHeaders: readonly string[];
  /** Origins that browsers may call from; `*`: all. */
  readonly corsOrigins: readonly string[];
  /** Traces include the text of prompts. */
  readonly isTextTraced: boolean;
}

/** The settings in effect. The catalogue sets them before the first request and whenever the configuration changes. */
@Injectable()
export class SettingsStore {
  current!: GatewaySettings;
}
