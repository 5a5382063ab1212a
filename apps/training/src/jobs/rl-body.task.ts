import { type RlConfigDto, RlJobCreateDto, type RolloutOrderDto, valueIssue } from '@hone/contracts';
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
  /** Null: the rollouts are sent. */
  rollouts: RolloutOrderDto | null;
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
  digest(job, issues, sent): RlBody {
    const { model_id, trajectory_groups: groups, training_data_url: url, rollouts, experimental_config } = job;
    const sources = { trajectory_groups: groups, training_data_url: url, rollouts };
    const [first, ...others] = Object.entries(sources).flatMap(([name, value]) => (value ? [name] : []));
    issues.push(...others.map((name) => valueIssue(`Should be absent beside ${first}`, ['body', name])));
    return {
      modelId: model_id,
      config: experimental_config ? { ...experimental_config } : null,
      trainingDataUrl: url ?? null,
      rollouts: rollouts ? plain(rollouts) : null,
      groups: groups?.length ?? 0,
      trajectories: groups?.reduce((sum, { trajectories }) => sum + (trajectories?.length ?? 0), 0) ?? 0,
      rewards: groups?.map(({ trajectories = [] }) => trajectories.map(({ reward = 0 }) => reward)) ?? [],
      warnings: warnOfUnknownKeys(RlJobCreateDto, sent),
    };
  },
});

/** Without classes, which do not travel between threads. */
const plain = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
