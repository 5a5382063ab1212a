/** What is kept of one metric of a (step, split). */
export interface MetricRow {
  split: string;
  /** See {@link METRIC_NAMES}. */
  name: string;
  /** Decimal, exact. */
  sum: string;
  /** Decimal; null: there is nothing to average. */
  mean: string | null;
  count: number;
}

/** Names of the rows: clients choose metric names, so theirs have a prefix. */
export const METRIC_NAMES = {
  reward: 'reward',
  rewardStdDev: 'reward_std_dev',
  /** Sum: exceptions; count: groups that reported any, or that there were none. */
  exceptions: 'exceptions',
  ofTrajectories: (metric: string) => `t:${metric}`,
  ofGroups: (metric: string) => `g:${metric}`,
};

/** Names under which our own means are reported: a client's metric of such a name is stored, and not averaged. */
export const RESERVED_METRICS: ReadonlySet<string> = new Set(['reward', 'reward_std_dev', 'exception_rate']);

/** `<split>/<metric>` -> mean over everything that was logged. One that is not finite is left out. */
export function meansOf(rows: readonly MetricRow[]): Record<string, number> {
  const means: Record<string, number> = {};
  // Names of groups' metrics could also be those of trajectories': the order of the rows decides which one is reported.
  for (const row of rows.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    const mean = row.name === METRIC_NAMES.exceptions ? exceptionRate(row, rows) : Number(row.mean ?? 0);
    if (Number.isFinite(mean)) means[`${row.split}/${toldName(row.name)}`] = mean;
  }
  return means;
}

function exceptionRate({ split, sum }: MetricRow, rows: readonly MetricRow[]): number {
  const rewards = rows.find((row) => row.split === split && row.name === METRIC_NAMES.reward);
  const exceptions = Number(sum);
  const attempts = exceptions + (rewards?.count ?? 0);
  return attempts === 0 ? 0 : exceptions / attempts;
}

function toldName(name: string): string {
  if (name === METRIC_NAMES.exceptions) return 'exception_rate';
  if (name.startsWith('t:')) return name.slice(2);
  return name.startsWith('g:') ? `group_${name.slice(2)}` : name;
}
