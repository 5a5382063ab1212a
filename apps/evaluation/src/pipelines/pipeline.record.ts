import type { PipelineCreateDto, PipelineRunStatus, PipelineRunStepDto } from '@hone/contracts';

/** A loop that trains, compares and promotes by itself. */
export interface PipelineRecord {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly settings: PipelineCreateDto;
  readonly isPaused: boolean;
  readonly runCount: number;
  readonly gateCount: number;
  readonly alphaSpent: number;
  /** It runs with this key's rights. */
  readonly keyId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export const STARTED_BY = ['schedule', 'judged_calls', 'request'] as const;
export type StartedBy = (typeof STARTED_BY)[number];

/** A run of a pipeline. */
export interface PipelineRunRecord {
  readonly id: string;
  readonly projectRowId: string;
  readonly pipelineId: string;
  readonly number: number;
  readonly status: PipelineRunStatus;
  readonly reason: string | null;
  readonly startedBy: StartedBy;
  /** Step of the checkpoint that the alias named when it began; null: nobody looked yet. */
  readonly currentStep: number | null;
  readonly alpha: number | null;
  readonly steps: readonly PipelineRunStepDto[];
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** What working on a run changes. */
export interface RunProgress {
  readonly steps: readonly PipelineRunStepDto[];
  readonly currentStep: number | null;
  /** Null: it goes on. */
  readonly end: RunEnd | null;
}

export interface RunEnd {
  readonly status: Exclude<PipelineRunStatus, 'running'>;
  readonly reason: string;
}
