/** Sums over requests; whole numbers. */
export interface UsageSums {
  requests: number;
  errors: number;
  aborted: number;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  reasoningTokens: number;
  costNanoUsd: bigint;
  /** Requests that ended well. */
  timed: number;
  /** Of these together. */
  durationMs: number;
}

/** Sums of one hour, day, model, key or user, or of two of these together. */
export interface UsageGroupSums extends UsageSums {
  /** ISO 8601 of the hour's start, `YYYY-MM-DD`, the model's id, the key's, or the user's. */
  group: string;
  /** The same of the second group; null: there is none. */
  thenGroup: string | null;
}

export function addUp(rows: readonly UsageSums[]): UsageSums {
  const sum = (numberOf: (row: UsageSums) => number) => rows.reduce((total, row) => total + numberOf(row), 0);
  return {
    requests: sum((row) => row.requests),
    errors: sum((row) => row.errors),
    aborted: sum((row) => row.aborted),
    promptTokens: sum((row) => row.promptTokens),
    cachedTokens: sum((row) => row.cachedTokens),
    completionTokens: sum((row) => row.completionTokens),
    reasoningTokens: sum((row) => row.reasoningTokens),
    costNanoUsd: rows.reduce((total, row) => total + row.costNanoUsd, 0n),
    timed: sum((row) => row.timed),
    durationMs: sum((row) => row.durationMs),
  };
}
