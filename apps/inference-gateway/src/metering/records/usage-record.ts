import type { FailureReason } from '../../shared/failure-reason.js';

export type UsageStatus = 'ok' | 'error' | 'aborted';

/** Source of the token counts; null: nothing was counted. */
export type UsageSource = 'upstream' | 'engine' | 'estimated' | null;

export interface TokenCounts {
  readonly promptTokens: number;
  /** Included in the prompt's tokens. */
  readonly cachedTokens: number;
  /** Written into a cache; included in the prompt's tokens, beside the cached ones. */
  readonly cacheWriteTokens: number;
  readonly completionTokens: number;
  /** Included in the completion's tokens. */
  readonly reasoningTokens: number;
  /** What else is paid for: images, characters that were spoken, or milliseconds of audio that were written down. Absent: 0. */
  readonly units?: number;
}

export const NO_TOKENS: TokenCounts = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

/** One attempt of a request. Tokens of a failed attempt are kept here only: they are not billed. */
export interface AttemptUsage {
  /** `<upstream>/<model>`. */
  readonly target: string;
  /** `ok`, `stopped`, or the reason of its failure. */
  readonly outcome: 'ok' | 'stopped' | FailureReason;
  readonly ms: number;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

/** Nano-USD per million tokens or units, integers: 0.15 USD per million tokens is 150,000,000. */
export interface ModelPrice {
  readonly prompt: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly completion: number;
  readonly reasoning: number;
  /** Of {@link TokenCounts.units}. Absent: 0. */
  readonly unit?: number;
}

export const FREE: ModelPrice = { prompt: 0, cached: 0, cacheWrite: 0, completion: 0, reasoning: 0 };

/** Usage record of one request, written when it has ended. */
export interface UsageRecord extends TokenCounts {
  /** Idempotency key: a UUIDv7 that the gateway minted. Two records with one uid are the same record. */
  readonly uid: string;
  /** The request's id, which callers may choose; 1..128 visible ASCII characters. */
  readonly rid: string;
  /** `id` of the answer; null: there was no answer. */
  readonly responseId: string | null;
  readonly keyId: string;
  readonly userId: string;
  /** Row id of the billed project. */
  readonly projectId: string;
  readonly modelAsked: string;
  /** Model that answered; null: none did. */
  readonly modelAnswered: string | null;
  /** `<upstream>/<model>` that answered; null: none did. */
  readonly target: string | null;
  /** Id of the route that is charged: of the last attempt. Null: there was none. */
  readonly route: string | null;
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
  /** Milliseconds to the first token; null: none was sent. */
  readonly ttftMs: number | null;
  readonly durationMs: number;
}
