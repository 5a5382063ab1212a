import { type RlConfigDto, RlJobCreateDto, valueIssue } from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';
import type { JobWarning } from '@hone/training-jobs';

import { LARGE_BODY_LIMITS } from '../http/large-bodies/large-body-limits.js';
import { warnOfUnknownKeys } from './unknown-keys.js';

/** What is needed of the body of a reinforcement learning job to take the job in. */
export interface RlBody {
  modelId: string;
  config: RlConfigDto | null;
  /** Where the groups are; null: in the body. */
  trainingDataUrl: string | null;
  groups: number;
  trajectories: number;
  /** Of the trajectories of each group. */
  rewards: number[][];
  warnings: JobWarning[];
}

/** The groups themselves go on as the bytes that were sent. */
export const TASK = bodyTask({
  type: RlJobCreateDto,
  module: import.meta.url,
  limits: LARGE_BODY_LIMITS,
  digest({ model_id, trajectory_groups: groups, training_data_url: url, experimental_config }, issues, sent): RlBody {
    if (groups && url)
      issues.push(valueIssue('Should be absent beside trajectory_groups', ['body', 'training_data_url']));
    return {
      modelId: model_id,
      config: experimental_config ? { ...experimental_config } : null,
      trainingDataUrl: url ?? null,
      groups: groups?.length ?? 0,
      trajectories: groups?.reduce((sum, { trajectories }) => sum + (trajectories?.length ?? 0), 0) ?? 0,
      rewards: groups?.map(({ trajectories = [] }) => trajectories.map(({ reward = 0 }) => reward)) ?? [],
      warnings: warnOfUnknownKeys(RlJobCreateDto, sent),
    };
  },
});
