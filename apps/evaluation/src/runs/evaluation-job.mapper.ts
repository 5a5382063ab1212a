import { toUsd } from '@hone/calls';
import type { EvaluationCountsDto, EvaluationJobDto } from '@hone/contracts';

import type { VersionKey } from '../stored-objects/stored-objects.service.js';
import type { CellCount, EvaluationJob } from './evaluation-job.record.js';

const MAX_PROBLEMS = 20;

/** @param counts of this job, the most frequent reasons first */
export function toEvaluationJobDto(
  job: EvaluationJob,
  counts: readonly CellCount[],
  refOf: (version: VersionKey) => string,
): EvaluationJobDto {
  const candidates = job.plan.candidates.map(({ model, runId }, at) => {
    const own = counts.filter(({ candidate }) => candidate === at);
    return {
      name: model.objectId,
      model: refOf(model),
      evaluation_run_id: runId,
      answers: toCounts(own.filter(({ isScore }) => !isScore)),
      scores: toCounts(own.filter(({ isScore }) => isScore)),
      cost_usd: toUsd(own.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
    };
  });
  return {
    id: job.id,
    project_id: job.projectId,
    evaluation: refOf(job.plan.evaluation),
    status: job.status,
    rows: job.rowCount,
    trials: job.trials,
    baseline_run_id: job.plan.baseline?.runId ?? null,
    candidates,
    problems: toProblems(counts),
    cost_usd: toUsd(job.costNanoUsd),
    max_cost_usd: job.maxCostNanoUsd === null ? null : toUsd(job.maxCostNanoUsd),
    error: job.error,
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

function toCounts(counts: readonly CellCount[]): EvaluationCountsDto {
  const sum = (...states: CellCount['state'][]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((total, { cells }) => total + cells, 0);
  return { pending: sum('pending', 'running'), done: sum('done'), skipped: sum('skipped'), failed: sum('failed') };
}

/** Of all candidates together. */
function toProblems(counts: readonly CellCount[]): EvaluationJobDto['problems'] {
  const problems = new Map<string, EvaluationJobDto['problems'][number]>();
  for (const { state, code, cells, rowDigest } of counts) {
    if (code === null || (state !== 'skipped' && state !== 'failed')) continue;
    const key = `${state} ${code}`;
    const count = (problems.get(key)?.count ?? 0) + cells;
    problems.set(key, { state, code, count, example_row_digest: rowDigest });
  }
  return [...problems.values()].sort((a, b) => b.count - a.count).slice(0, MAX_PROBLEMS);
}
