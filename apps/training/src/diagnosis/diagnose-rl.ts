import type { DiagnosisIssueDto } from '@hone/contracts';
import {
  planRl,
  readGroupLines,
  resolveRlConfig,
  type RlConfigInput,
  splitLines,
  type TrajectoryGroupInput,
  warnOfLearningRate,
  warnOfRewards,
  withLearningRate,
} from '@hone/engine';

import type { BaseFolder } from '../base-models/base-models.js';
import { type Diagnosis, reportFailure, reportPlan, toIssue } from './diagnosis-report.js';
import { oneChunk } from './one-chunk.js';
import { openPlanningBase } from './planning-base.js';
import { warnOfDrift, warnOfDropped, warnOfStale } from './rl-warnings.js';

export interface RlCase {
  /** The body, which was found right; or the lines that it names, one group each, which nobody has looked at. */
  readonly groups: { readonly body: Uint8Array } | { readonly lines: Uint8Array };
  readonly config: RlConfigInput | null;
  readonly base: BaseFolder;
  /** Step of the checkpoint that would be trained; 0: the base. */
  readonly parentStep: number;
}

/** Dry run of a reinforcement learning job: plans it without training. */
export async function diagnoseRl({ groups: sent, config, base, parentStep }: RlCase): Promise<Diagnosis> {
  let groups: TrajectoryGroupInput[] = [];
  const warnings: DiagnosisIssueDto[] = [];
  try {
    groups = 'body' in sent ? groupsOf(sent.body) : await readGroupLines(splitLines(oneChunk(sent.lines)));
    warnings.push(...warnOfStale(groups, parentStep));
    const planning = await openPlanningBase(base);
    warnings.push(...warnOfDrift(groups, planning.tokenizer));
    const resolved = resolveRlConfig(withLearningRate('rl', planning.parameters, config));
    warnings.push(...warnOfLearningRate('rl', planning.parameters, resolved.learning_rate).map(toIssue));
    const plan = planRl(groups, resolved, { ...planning, parentStep });
    return reportPlan(plan, [...warnOfRewards(rewardsOf(groups)).map(toIssue), ...warnOfDropped(plan), ...warnings]);
  } catch (error) {
    return reportFailure(error, groups.length, warnings);
  }
}

const rewardsOf = (groups: readonly TrajectoryGroupInput[]): number[][] =>
  groups.map(({ trajectories = [] }) => trajectories.map(({ reward = 0 }) => reward));

const groupsOf = (body: Uint8Array): TrajectoryGroupInput[] =>
  (JSON.parse(new TextDecoder().decode(body)) as { trajectory_groups: TrajectoryGroupInput[] }).trajectory_groups;
