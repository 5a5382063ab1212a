import type { CheckpointDetailDto, CheckpointDto, StoredFileDto } from '@hone/contracts';

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
  files,
});
