import type { ArtifactStore } from '@hone/artifacts';
import type { JobCheckpoints, JobLease } from '@hone/training-jobs';

import type { TrainerConfig } from '../config/trainer.config.js';
import type { JobEngine } from '../engines/job-engine.js';
import type { JobPlanner } from '../planning/job-planner.js';
import type { TrainerLog } from '../telemetry/trainer-log.js';
import type { TrainerMetrics } from '../telemetry/trainer-metrics.js';
import type { CheckpointWriter } from './checkpoint-writer.js';

/** What every attempt works with. */
export interface AttemptTools {
  readonly config: TrainerConfig;
  readonly engine: JobEngine;
  readonly store: ArtifactStore;
  readonly jobs: JobLease;
  readonly checkpoints: JobCheckpoints;
  readonly planner: JobPlanner;
  readonly writer: CheckpointWriter;
  readonly log: TrainerLog;
  readonly metrics: TrainerMetrics;
}
