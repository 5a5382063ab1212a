import { Injectable } from '@nestjs/common';

/** Limits of a request body. */
export interface BodyLimits {
  /** Of the inflated body. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Limits of the fields of a request. */
export interface RequestLimits {
  /** Largest `top_logprobs` and `prompt_logprobs`; -1: the whole vocabulary may be asked for. */
  readonly maxLogprobs: number;
  /** Largest `n`. */
  readonly maxChoices: number;
}

export interface JournalSettings {
  /** `write`: usage survives a killed process. `fsync`: a crashed machine as well. */
  readonly sync: 'write' | 'fsync';
  /** What a request gets while the journal cannot be written: a 503, or an answer that may go unbilled. */
  readonly onFailure: 'refuse' | 'serve';
}

/** What the operator decides about every request. */
export interface GatewaySettings {
  readonly limits: RequestLimits & { readonly body: BodyLimits };
  /** Headers that may name the project that pays, lower-case; the first one present wins. */
  readonly projectHeaders: readonly string[];
  /** Callers' headers that are forwarded to upstreams, lower-case. */
  readonly forwardHeaders: readonly string[];
  /** Origins that browsers may call from; `*`: all. */
  readonly corsOrigins: readonly string[];
  /** Traces hold the text of prompts. */
  readonly isTextTraced: boolean;
}

/** The settings in effect. The catalogue sets them before the first request and whenever the configuration changes. */
@Injectable()
export class SettingsStore {
  current!: GatewaySettings;
}
