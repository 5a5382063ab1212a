import type { TrajectoryDto, TrajectoryGroupDto } from '@hone/contracts';

import { METRIC_NAMES, RESERVED_METRICS } from '../models/metric-means.js';
import { deviation } from './deviation.js';
import { ExactSum } from './exact-sum.js';
import type { MetricSum } from './log-content.js';

type Metrics = Record<string, number | boolean> | undefined;

/** Adds up what the groups of one call say, metric by metric. */
export function sumMetrics(groups: readonly TrajectoryGroupDto[]): MetricSum[] {
  const sums = new MetricSums();
  for (const group of groups) sums.addGroup(group);
  return sums.list();
}

class MetricSums {
  private readonly sums = new Map<string, ExactSum>();

  addGroup({ trajectories = [], metrics, exceptions }: TrajectoryGroupDto): void {
    for (const trajectory of trajectories) this.addTrajectory(trajectory);
    if (trajectories.length > 0) this.addDeviation(trajectories);
    this.addAll(metrics, METRIC_NAMES.ofGroups);
    if (exceptions) this.of(METRIC_NAMES.exceptions).add(exceptions.length);
  }

  list(): MetricSum[] {
    return [...this.sums].map(([name, sum]) => ({ name, sum: sum.toString(), count: sum.count }));
  }

  private addTrajectory({ reward = 0, metrics }: TrajectoryDto): void {
    this.of(METRIC_NAMES.reward).add(reward);
    this.addAll(metrics, METRIC_NAMES.ofTrajectories);
  }

  /** A group of one deviates from nothing; that there were trajectories is known then all the same. */
  private addDeviation(trajectories: readonly TrajectoryDto[]): void {
    const deviations = this.of(METRIC_NAMES.rewardStdDev);
    if (trajectories.length > 1) deviations.add(deviation(trajectories.map(({ reward = 0 }) => reward)));
  }

  private addAll(metrics: Metrics, nameOf: (metric: string) => string): void {
    for (const [metric, value] of Object.entries(metrics ?? {})) {
      if (!RESERVED_METRICS.has(metric)) this.of(nameOf(metric)).add(Number(value));
    }
  }

  private of(name: string): ExactSum {
    let sum = this.sums.get(name);
    if (!sum) this.sums.set(name, (sum = new ExactSum()));
    return sum;
  }
}
