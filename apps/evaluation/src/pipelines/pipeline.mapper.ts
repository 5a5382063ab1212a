import type { PipelineDto, PipelineRunDto } from '@hone/contracts';

import type { PipelineRecord, PipelineRunRecord } from './pipeline.record.js';

const HOUR_MS = 3_600_000;

/** @param costUsd what its evaluation has spent */
export const toPipelineRunDto = (run: PipelineRunRecord, costUsd: number): PipelineRunDto => ({
  ...{ id: run.id, pipeline_id: run.pipelineId, number: run.number, status: run.status, reason: run.reason },
  ...{ started_by: run.startedBy, current_step: run.currentStep, alpha: run.alpha, steps: [...run.steps] },
  ...{ cost_usd: costUsd, started_at: run.startedAt.toISOString(), ended_at: run.endedAt?.toISOString() ?? null },
});

/** @param missing before a run may start */
export const toPipelineDto = (
  pipeline: PipelineRecord,
  missing: string[],
  lastRun: PipelineRunDto | null,
): PipelineDto => ({
  ...{ id: pipeline.id, settings: pipeline.settings, paused: pipeline.isPaused, missing },
  ...{ runs: pipeline.runCount, gates: pipeline.gateCount, alpha_spent: pipeline.alphaSpent, last_run: lastRun },
  next_run_at: nextRunOf(pipeline, lastRun),
  ...{ created_by: pipeline.createdBy, created_at: pipeline.createdAt.toISOString() },
});

function nextRunOf({ settings, isPaused, createdAt }: PipelineRecord, lastRun: PipelineRunDto | null): string | null {
  const hours = settings.every_hours ?? null;
  if (hours === null || isPaused) return null;
  const since = lastRun ? Date.parse(lastRun.started_at) : createdAt.getTime();
  return new Date(since + hours * HOUR_MS).toISOString();
}
