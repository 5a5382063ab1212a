/** A figure with its confidence interval. */
export interface Interval {
  /** Point estimate; `low <= estimate <= high`. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Share of samples whose interval holds the true figure, 0 to 1, for example 0.95. */
  readonly level: number;
  /** Construction of the interval, for example `wilson`. */
  readonly method: string;
}

/** Of every interval, unless the caller names another. */
export const DEFAULT_LEVEL = 0.95;

/** Keeps a figure within its range. */
export function clip(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
