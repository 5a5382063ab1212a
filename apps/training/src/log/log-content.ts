/** What a call of `log` says, without its texts. */
export interface LogContent {
  split: string;
  groups: number;
  trajectories: number;
  /** Rows of trajectories: JSON lists of {@link TrajectoryRow}, of about a megabyte each. */
  rowLists: string[];
  sums: MetricSum[];
}

/** As the database reads it; names are short because there are many. */
export interface TrajectoryRow {
  /** Index of the group. */
  g: number;
  /** Index in the group. */
  i: number;
  reward: number;
  /** Steps of the policies that answered first and last. */
  first?: number;
  last?: number;
  metrics: Record<string, number>;
  /** Milliseconds since 1970; absent: now. */
  start?: number;
}

export interface MetricSum {
  /** See `METRIC_NAMES`. */
  name: string;
  /** Decimal, exact. */
  sum: string;
  count: number;
}
