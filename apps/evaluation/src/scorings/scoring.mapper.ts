import { toUsd } from '@hone/calls';
import { type ScoringDto, withScheme } from '@hone/contracts';

import type { ScoringRecord, StateCount } from './scoring.record.js';

const MAX_PROBLEMS = 20;

/** @param counts of this scoring, the most frequent reasons first */
export function toScoringDto(scoring: ScoringRecord, counts: readonly StateCount[], refScheme: string): ScoringDto {
  const sum = (...states: StateCount['state'][]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((total, { calls }) => total + calls, 0);
  return {
    id: scoring.id,
    project_id: scoring.projectId,
    scorer: withScheme(`${scoring.projectId}/object/${scoring.scorerId}:${scoring.scorerDigest}`, refScheme),
    status: scoring.status,
    is_planned: scoring.isPlanned,
    counts: {
      pending: sum('pending', 'running'),
      done: sum('done'),
      skipped: sum('skipped'),
      failed: sum('failed'),
      judged_before: scoring.judgedBefore,
    },
    problems: counts
      .filter(({ state, code }) => code !== null && (state === 'skipped' || state === 'failed'))
      .slice(0, MAX_PROBLEMS)
      .map(({ state, code, calls, callId }) => ({ state, code: code as string, calls, example_call_id: callId })),
    cost_usd: toUsd(scoring.costNanoUsd),
    max_cost_usd: scoring.maxCostNanoUsd === null ? null : toUsd(scoring.maxCostNanoUsd),
    error: scoring.error,
    created_at: scoring.createdAt.toISOString(),
    finished_at: scoring.finishedAt?.toISOString() ?? null,
  };
}
