import type { EvaluationVersionDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { mergeRuns, type Run, toRun, toSdkRun } from './runs.js';

const MAX_RUNS = 500;
const POLL_MS = 5_000;

/** The newest runs of the project's evaluations, and these themselves. */
export function useRuns() {
  const project = useProject();
  const place = { entity: project.entity, project: project.name };
  return useQuery({
    queryKey: ['evaluation runs', project.id],
    queryFn: async ({ signal }) => {
      const own = async (): Promise<Run[]> => {
        const runs = [];
        for await (const run of hone.trace.listEvaluationRuns({ ...place, limit: MAX_RUNS }, { signal }))
          runs.push(toRun(run));
        return runs;
      };
      const ofSdks = async (): Promise<Run[]> => {
        const runs = [];
        const query = {
          ...{ project_id: project.id, limit: MAX_RUNS },
          filter: { op_names: [`hone:///${project.id}/op/Evaluation.evaluate:*`] },
          columns: ['id', 'inputs', 'output', 'started_at', 'ended_at', 'exception'],
          sort_by: [{ field: 'started_at', direction: 'desc' as const }],
        };
        for await (const call of hone.trace.queryCalls(query, { signal })) runs.push(toSdkRun(call));
        return runs;
      };
      const evaluations: EvaluationVersionDto[] = [];
      for await (const one of hone.trace.listEvaluations(place, { signal })) evaluations.push(one);
      return { runs: mergeRuns(await own(), await ofSdks()), evaluations };
    },
    refetchInterval: ({ state }) => (state.data?.runs.some(({ status }) => status === 'running') ? POLL_MS : false),
  });
}
