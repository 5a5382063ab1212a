import type { JobError } from './job-error.js';
import type { JobEventData, JobEventRecord, JobEventType } from './job-events.js';
import type {
  JobData,
  JobKind,
  JobPhase,
  JobStatus,
  JobTokens,
  JobWarning,
  StoredInput,
  TrainingJobRecord,
} from './job-record.js';
import type { GroupDraft } from './lease-drafts.js';

/** Columns that a record has under the same name and type. */
type PlainColumn =
  | 'id' | 'projectId' | 'modelId' | 'ordinal' | 'trainingDataUrl' | 'dataVersionId' | 'validationVersionId' | 'numSequences'
  | 'learningRateScale' | 'stepsDone' | 'attempt' | 'failures' | 'leaseOwner' | 'leaseExpiresAt' | 'availableAt'
  | 'queueDeadlineAt' | 'runDeadlineAt' | 'cancelRequestedAt' | 'cancelRequestedBy' | 'parentId' | 'parentStep'
  | 'referenceId' | 'producedId' | 'producedStep' | 'createdBy' | 'createdAt' | 'queuedAt' | 'startedAt' | 'runningAt'
  | 'finishedAt' | 'keyId' | 'roundsDone' | 'roundBase'; // prettier-ignore

/** A row of `training_jobs`. */
export interface JobRow extends Pick<TrainingJobRecord, PlainColumn> {
  readonly kind: string;
  readonly status: string;
  readonly phase: string | null;
  readonly config: unknown;
  readonly extraConfig: unknown;
  readonly rollouts: unknown;
  readonly inputUri: string | null;
  readonly inputBytes: bigint | null;
  readonly inputSha256: string | null;
  readonly validationUri: string | null;
  readonly validationBytes: bigint | null;
  readonly validationSha256: string | null;
  readonly planUri: string | null;
  readonly planSha256: string | null;
  readonly resumeUri: string | null;
  readonly resumeSha256: string | null;
  readonly resumeStep: number | null;
  readonly tokens: unknown;
  readonly data: unknown;
  readonly metrics: unknown;
  readonly warnings: unknown;
  readonly error: unknown;
}

export function toJobRecord(row: JobRow): TrainingJobRecord {
  const { inputUri, inputBytes, inputSha256, planUri, planSha256, resumeUri, resumeSha256, resumeStep, ...others } =
    row;
  const { validationUri, validationBytes, validationSha256, ...rest } = others;
  return {
    ...rest,
    kind: row.kind as JobKind,
    status: row.status as JobStatus,
    phase: row.phase as JobPhase | null,
    config: row.config as TrainingJobRecord['config'],
    extraConfig: row.extraConfig as TrainingJobRecord['extraConfig'],
    rollouts: row.rollouts as TrainingJobRecord['rollouts'],
    input: inputUri === null ? null : toInput(inputUri, inputBytes, inputSha256),
    validationInput: validationUri === null ? null : toInput(validationUri, validationBytes, validationSha256),
    plan: planUri === null ? null : { uri: planUri, sha256: planSha256 as string },
    resume: resumeUri === null ? null : { uri: resumeUri, sha256: resumeSha256 as string, step: resumeStep as number },
    tokens: row.tokens as JobTokens,
    data: row.data as JobData,
    metrics: row.metrics as Record<string, number>,
    warnings: row.warnings as JobWarning[],
    error: row.error as JobError | null,
  };
}

const toInput = (uri: string, bytes: bigint | null, sha256: string | null): StoredInput => ({
  uri,
  bytes: Number(bytes),
  sha256: sha256 as string,
});

/** A row of `training_job_events`. */
export interface JobEventRow extends Omit<JobEventRecord, 'type' | 'data'> {
  readonly type: string;
  readonly data: unknown;
}

export const toJobEventRecord = ({ id, jobId, seq, type, data, createdAt }: JobEventRow): JobEventRecord => ({
  id,
  jobId,
  seq,
  type: type as JobEventType,
  data: data as JobEventData,
  createdAt,
});

/** A row of `training_job_groups`. */
interface GroupRow extends Omit<GroupDraft, 'bytes' | 'failures' | 'costNanoUsd'> {
  readonly bytes: bigint;
  readonly failures: unknown;
  readonly costNanoUsd: bigint;
}

export const toGroup = ({
  round,
  position,
  uri,
  sha256,
  answers,
  graded,
  rewardSum,
  ...row
}: GroupRow): GroupDraft => ({
  ...{ round, position, uri, sha256, answers, graded, rewardSum },
  bytes: Number(row.bytes),
  failures: row.failures as Record<string, number>,
  costNanoUsd: Number(row.costNanoUsd),
});
