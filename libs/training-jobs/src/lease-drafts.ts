import type { TrainingStartedData } from './job-events.js';
import type { JobData, JobTokens, JobWarning, TrainingJobRecord } from './job-record.js';
import type { Lease } from './lease.js';

export interface ClaimedJob {
  readonly lease: Lease;
  readonly job: TrainingJobRecord;
  readonly baseModel: string;
  /** Remote engine that made the model's first step; null: none yet, or the embedded engine. */
  readonly modelEngine: string | null;
}

/** Answer to a worker that extends its lease. */
export interface HeartbeatAnswer {
  /** Somebody wants the job to stop. */
  readonly cancel: boolean;
  /** The job fails when it has not ended by then. */
  readonly deadlineAt: Date;
}

/** Which checkpoint the KL penalty measures from: that of a step, or the one so many steps before the parent. */
export type ReferenceChoice = { readonly step: number } | { readonly lag: number };

/** A checkpoint that stays readable while the job is open. */
export interface PinnedCheckpoint {
  readonly id: string;
  readonly step: number;
  readonly uri: string;
  readonly bytes: number;
  /** Hex. */
  readonly manifestSha256: string;
}

/** Null: the base. */
export interface StartingPoint {
  readonly parent: PinnedCheckpoint | null;
  readonly reference: PinnedCheckpoint | null;
}

export interface PlanDraft {
  /** Gradient steps of earlier rounds. Absent: 0, as of jobs without rounds. */
  readonly after?: number;
  readonly uri: string;
  /** Hex. */
  readonly sha256: string;
  /** Of the plan alone. */
  readonly numSequences: number;
  readonly learningRateScale: number;
  readonly tokens: JobTokens;
  /** Merged into what is known since create. */
  readonly data: JobData;
  /** In addition to those since create. Absent: none. */
  readonly warnings?: readonly JobWarning[];
  readonly started: TrainingStartedData;
}

export interface ResumePoint {
  readonly uri: string;
  /** Hex. */
  readonly sha256: string;
  /** Gradient steps done there. */
  readonly step: number;
}

/** A checkpoint on the way. */
export type IntermediateDraft = Omit<CheckpointDraft, 'jobMetrics'>;

/** Bytes that are in the store and were verified there. */
export interface CheckpointDraft {
  readonly id: string;
  readonly uri: string;
  readonly bytes: number;
  /** Hex. */
  readonly manifestSha256: string;
  /** Remote engine that made it; null: the embedded engine. */
  readonly engine?: string | null;
  /** How that engine made it; null: the embedded engine did, or it was imported. */
  readonly lineage?: object | null;
  /** Of the checkpoint. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Of the job. */
  readonly jobMetrics: Readonly<Record<string, number>>;
}

/** The graded answers to one prompt, whose bytes are in the store. */
export interface GroupDraft {
  readonly round: number;
  /** Of the prompt within the round. */
  readonly position: number;
  readonly uri: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly answers: number;
  /** Answers with a reward. */
  readonly graded: number;
  readonly rewardSum: number;
  /** Code -> answers without a reward. */
  readonly failures: Readonly<Record<string, number>>;
  readonly costNanoUsd: number;
}

/** Where a round stands: what an attempt needs to go on with it. */
export interface RoundState {
  readonly job: TrainingJobRecord;
  /** What the round samples from and trains; null: the base. */
  readonly parent: PinnedCheckpoint | null;
  /** Settled groups of the round, by position. */
  readonly groups: readonly GroupDraft[];
}

/** Names by which the gateway knows a model. */
export interface ModelNames {
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly model: string;
}
