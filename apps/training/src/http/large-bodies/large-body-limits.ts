/**
 * A body of the largest size with log-probabilities has some four million values; one that has nothing but empty
 * objects would have twenty, and take more memory than there is.
 */
export const LARGE_BODY_LIMITS = { maxLevels: 64, maxValues: 6_000_000 };
