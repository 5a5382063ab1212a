import type { CheckpointDetailDto, CheckpointDto, CheckpointEngineDto, StoredFileDto } from '@hone/contracts';

import type { CheckpointDetail, CheckpointRecord } from './checkpoint.record.js';

export const toCheckpoint = ({ id, step, metrics }: CheckpointRecord): CheckpointDto => ({ id, step, metrics });

export const toCheckpointDetail = (checkpoint: CheckpointDetail, files: StoredFileDto[]): CheckpointDetailDto => ({
  ...toCheckpoint(checkpoint),
  created_at: checkpoint.createdAt.toISOString(),
  job_id: checkpoint.jobId,
  kind: checkpoint.kind,
  parent_step: checkpoint.parentStep,
  bytes: checkpoint.bytes,
  pinned: checkpoint.isPinned,
  engine: checkpoint.engine && toCheckpointEngine(checkpoint.engine),
  files,
});

const toCheckpointEngine = (engine: CheckpointEngineDto): CheckpointEngineDto => ({
  name: engine.name,
  kind: engine.kind,
  server_model: engine.server_model,
  weights: engine.weights,
  rank: engine.rank,
  alpha: engine.alpha,
  reduction: engine.reduction,
  clip: engine.clip,
});
