import {
  type JobCheckpointDto,
  type JobErrorDto,
  type JobProgressDto,
  type JobTimingsDto,
  type JobWarningDto,
  type TrainingJobDto,
} from '@hone/contracts';
import { isTerminal, type JobError, type JobWarning, type TrainingJobRecord } from '@hone/training-jobs';

import type { OwningProject } from '../access/training-access.js';
import { isOwnArtifact, toRollouts } from './job-rollouts.mapper.js';

/** What an answer holds beyond the job's row. */
export interface JobSurroundings {
  owning: OwningProject;
  /** 1: next. Undefined: not queued. */
  queuePosition: number | undefined;
  now: Date;
}

export const toTrainingJob = (
  job: TrainingJobRecord,
  { owning, queuePosition, now }: JobSurroundings,
): TrainingJobDto => ({
  id: job.id,
  object: 'training_job',
  kind: job.kind,
  status: job.status,
  model_id: job.modelId,
  entity: owning.entity,
  project: owning.project,
  attempt: job.attempt,
  queue_position: queuePosition ?? null,
  created_at: job.createdAt.toISOString(),
  started_at: job.startedAt?.toISOString() ?? null,
  finished_at: job.finishedAt?.toISOString() ?? null,
  cancel_requested_at: job.cancelRequestedAt?.toISOString() ?? null,
  deadline_at: deadlineOf(job).toISOString(),
  progress: toProgress(job),
  tokens: {
    input: job.tokens.input ?? 0,
    trainable: job.tokens.trainable ?? 0,
    processed: job.tokens.processed ?? 0,
  },
  timings_ms: toTimings(job, now),
  parent_checkpoint: toCheckpoint(job.parentId, job.parentStep),
  produced_checkpoint: toCheckpoint(job.producedId, job.producedStep),
  config: job.config,
  training_data_url: job.rollouts === null && isOwnArtifact(job.trainingDataUrl, owning) ? job.trainingDataUrl : null,
  rollouts: toRollouts(job, owning),
  metrics: { ...job.metrics },
  data: {
    groups_submitted: job.data.groups_submitted ?? 0,
    groups_trainable: job.data.groups_trainable ?? 0,
    trajectories: job.data.trajectories ?? 0,
    trajectories_trained: job.data.trajectories_trained ?? 0,
    dropped: { ...job.data.dropped },
    reward_mean: job.data.reward_mean ?? null,
    reward_std_dev: job.data.reward_std_dev ?? null,
    reward_zero_share: job.data.reward_zero_share ?? null,
  },
  warnings: job.warnings.map(toWarning),
  error: toError(job.error),
});

type Progressing = Pick<
  TrainingJobRecord,
  'stepsDone' | 'numSequences' | 'phase' | 'status' | 'rollouts' | 'roundsDone' | 'roundBase' | 'data'
>;

export const toProgress = (job: Progressing): JobProgressDto => ({
  gradient_steps_done: job.stepsDone,
  gradient_steps_total: job.numSequences,
  fraction: job.rollouts ? fractionOfRounds(job) : fractionOf(job),
  phase: job.phase,
});

/** A job without steps is all done once it has succeeded. */
function fractionOf({ stepsDone, numSequences, status }: Progressing): number | null {
  if (numSequences === null) return null;
  if (numSequences > 0) return stepsDone / numSequences;
  return status === 'succeeded' ? 1 : 0;
}

/** Of rounds the steps are known one by one; those of the current one count in part. */
function fractionOfRounds({ data, roundsDone, roundBase, stepsDone, numSequences, status }: Progressing) {
  const rounds = data.rollouts?.rounds ?? null;
  if (status === 'succeeded') return 1;
  if (rounds === null) return null;
  const steps = (numSequences ?? 0) - roundBase;
  return Math.min(1, (roundsDone + (steps > 0 ? (stepsDone - roundBase) / steps : 0)) / rounds);
}

/** What ends it if nothing else does: the wait in the queue, or the time that it may run. */
const deadlineOf = ({ status, queueDeadlineAt, runDeadlineAt }: TrainingJobRecord): Date =>
  (status === 'queued' ? null : runDeadlineAt) ?? queueDeadlineAt;

function toTimings(
  { status, createdAt, startedAt, runningAt, finishedAt }: TrainingJobRecord,
  now: Date,
): JobTimingsDto {
  const end = (isTerminal(status) ? finishedAt : null) ?? now;
  const between = (from: Date | null, to: Date | null) =>
    from === null ? 0 : Math.max(0, (to ?? end).getTime() - from.getTime());
  return {
    queued: between(createdAt, startedAt),
    preparing: between(startedAt, runningAt),
    running: between(runningAt, end),
    total: between(createdAt, end),
  };
}

/** Step 0 is the base, which is no checkpoint. */
const toCheckpoint = (id: string | null, step: number | null): JobCheckpointDto | null =>
  id === null || step === null ? null : { id, step };

const toWarning = ({ code, message, hint, loc }: JobWarning): JobWarningDto => ({ code, message, hint, loc: [...loc] });

function toError(error: JobError | null): JobErrorDto | null {
  if (!error) return null;
  const locs = (error.loc ?? []).map((loc) => [...loc]);
  return {
    code: error.code,
    message: error.message,
    hint: error.hint,
    loc: locs[0] ?? null,
    locs,
    retryable: error.retryable,
  };
}
