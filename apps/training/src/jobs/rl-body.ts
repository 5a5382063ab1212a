import { type RlConfigDto, RlJobCreateDto } from '@hone/contracts';
import type { JobWarning } from '@hone/training-jobs';

import { bodyTask } from '../http/large-bodies/body-format.js';
import { warnOfUnknownKeys } from './unknown-keys.js';

/** What is needed of the body of a reinforcement learning job to take the job in. */
export interface RlBody {
  modelId: string;
  config: RlConfigDto | null;
  groups: number;
  trajectories: number;
  warnings: JobWarning[];
}

/** The groups themselves go on as the bytes that were sent. */
export const TASK = bodyTask({
  type: RlJobCreateDto,
  module: import.meta.url,
  digest: ({ model_id, trajectory_groups, experimental_config }, _issues, sent): RlBody => ({
    modelId: model_id,
    config: experimental_config ? { ...experimental_config } : null,
    groups: trajectory_groups.length,
    trajectories: trajectory_groups.reduce((sum, { trajectories }) => sum + (trajectories?.length ?? 0), 0),
    warnings: warnOfUnknownKeys(RlJobCreateDto, sent),
  }),
});
