import type { FailureReason } from '../../shared/failure-reason.js';

export type UsageStatus = 'ok' | 'error' | 'aborted';

/** Where token counts come from; null: nothing was counted. */
export type UsageSource = 'upstream' | 'engine' | 'estimated' | null;

export interface TokenCounts {
  readonly promptTokens: number;
  /** Of the prompt's tokens. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Of the completion's tokens. */
  readonly reasoningTokens: number;
}

export const NO_TOKENS: TokenCounts = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };

/** One try of a request. The tokens of failed ones are kept here only: nobody pays for them. */
export interface AttemptUsage {
  /** `<upstream>/<model>`. */
  readonly target: string;
  /** `ok`, `stopped`, or the reason of its failure. */
  readonly outcome: 'ok' | 'stopped' | FailureReason;
  readonly ms: number;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

/** Nano-USD per million tokens, integers: 0.15 USD per million tokens is 150,000,000. */
export interface ModelPrice {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

export const FREE: ModelPrice = { prompt: 0, cached: 0, completion: 0 };

/** What is recorded of a request at its end. */
export interface UsageRecord extends TokenCounts {
  /** UUIDv7 that the gateway minted for this request. Two records with one uid are the same record. */
  readonly uid: string;
  /** The request's id, which callers may choose; 1..128 visible ASCII characters. */
  readonly rid: string;
  /** `id` of the answer; null: there was none. */
  readonly responseId: string | null;
  readonly keyId: string;
  readonly userId: string;
  /** Row id of the project that pays. */
  readonly projectId: string;
  readonly modelAsked: string;
  /** Null: nothing answered. */
  readonly modelAnswered: string | null;
  /** `<upstream>/<model>` that answered; null: nothing did. */
  readonly target: string | null;
  readonly checkpointId: string | null;
  readonly isStream: boolean;
  readonly status: UsageStatus;
  /** `error.code` of the answer; null unless `status` is error. */
  readonly errorCode: string | null;
  readonly attempts: readonly AttemptUsage[];
  readonly source: UsageSource;
  /** The price at the start of the request. */
  readonly price: ModelPrice;
  readonly startedAt: Date;
  /** To the first token; null: none came. */
  readonly ttftMs: number | null;
  readonly durationMs: number;
}
