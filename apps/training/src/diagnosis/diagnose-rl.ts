import {
  planRl,
  resolveRlConfig,
  type RlConfigInput,
  type TrajectoryGroupInput,
  warnOfLearningRate,
} from '@hone/engine';

import type { BaseFolder } from '../base-models/base-models.js';
import { type Diagnosis, reportFailure, reportPlan, toIssue } from './diagnosis-report.js';
import { openPlanningBase } from './planning-base.js';
import { warnOfDrift, warnOfDropped, warnOfStale } from './rl-warnings.js';

export interface RlCase {
  /** The body, which was found right. */
  readonly bytes: Uint8Array;
  readonly config: RlConfigInput | null;
  readonly base: BaseFolder;
  /** Step of the checkpoint that would be trained; 0: the base. */
  readonly parentStep: number;
}

/** Dry run of a reinforcement learning job: plans it without training. */
export async function diagnoseRl({ bytes, config, base, parentStep }: RlCase): Promise<Diagnosis> {
  const text = new TextDecoder().decode(bytes);
  const { trajectory_groups: groups } = JSON.parse(text) as { trajectory_groups: TrajectoryGroupInput[] };
  const warnings = warnOfStale(groups, parentStep);
  try {
    const planning = await openPlanningBase(base);
    warnings.push(...warnOfDrift(groups, planning.tokenizer));
    const resolved = resolveRlConfig(config);
    warnings.push(...warnOfLearningRate('rl', planning.parameters, resolved.learning_rate).map(toIssue));
    const plan = planRl(groups, resolved, { ...planning, parentStep });
    return reportPlan(plan, [...warnOfDropped(plan), ...warnings]);
  } catch (error) {
    return reportFailure(error, groups.length, warnings);
  }
}
