import { useQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;

/** The newest scorings of the project, looked at again while one is at work. */
export function useScorings() {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['scorings', project_id],
    queryFn: async ({ signal }) => (await hone.evaluation.listScorings({ project_id }, { signal })).scorings,
    refetchInterval: ({ state }) =>
      state.data?.some(({ finished_at }) => finished_at === null) ? POLL_MS : SLOW_POLL_MS,
  });
}

/** The monitors of the project, by their names. */
export function useMonitors() {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['monitors', project_id],
    queryFn: async ({ signal }) => (await hone.evaluation.listMonitors({ project_id }, { signal })).monitors,
    refetchInterval: SLOW_POLL_MS,
  });
}
