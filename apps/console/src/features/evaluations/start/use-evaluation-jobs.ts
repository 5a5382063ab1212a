import type { EvaluationJobDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;
/** So long after its end the server knows which answers and scores of a job failed. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** The newest evaluations that run on the server, looked at again while one is at work. */
export function useEvaluationJobs() {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['evaluation jobs', project_id],
    queryFn: async ({ signal }) => (await hone.evaluation.listEvaluationJobs({ project_id }, { signal })).runs,
    refetchInterval: ({ state }) =>
      state.data?.some(({ finished_at }) => finished_at === null) ? POLL_MS : SLOW_POLL_MS,
  });
}

/** Whether answers or scores failed that the server can try again: not of a job that ended early, nor of an old one. */
export const canBeRetried = ({ status, finished_at, candidates }: EvaluationJobDto): boolean =>
  status === 'done' &&
  finished_at !== null &&
  Date.now() - Date.parse(finished_at) < KEPT_MS &&
  candidates.some(({ answers, scores }) => answers.failed + scores.failed > 0);

/** Those of them that are at work on one of the runs, or have left something in them undone. */
export function useJobsOf(runs: readonly string[]): readonly EvaluationJobDto[] {
  const jobs = useEvaluationJobs();
  const isMeant = (job: EvaluationJobDto) =>
    (job.finished_at === null || canBeRetried(job)) &&
    job.candidates.some(({ evaluation_run_id }) => runs.includes(evaluation_run_id));
  return jobs.data?.filter(isMeant) ?? [];
}
