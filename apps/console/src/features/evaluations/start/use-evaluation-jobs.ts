import type { EvaluationJobDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;

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

/** Those of them that are at work on one of the runs. */
export function useOpenJobs(runs: readonly string[]): readonly EvaluationJobDto[] {
  const jobs = useEvaluationJobs();
  const isMeant = ({ finished_at, candidates }: EvaluationJobDto) =>
    finished_at === null && candidates.some(({ evaluation_run_id }) => runs.includes(evaluation_run_id));
  return jobs.data?.filter(isMeant) ?? [];
}
