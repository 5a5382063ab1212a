/** Milliseconds until the next try of what failed for now: five tries within ten minutes. */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 10_000, 45_000, 150_000, 300_000];

/** A service that starts again is waited for so long. */
export const SERVICE_PATIENCE_MS = 20_000;
