import { useQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

export function useQueue(id: string) {
  const project = useProject();
  return useQuery({
    queryKey: ['queue', project.id, id],
    queryFn: async ({ signal }) =>
      (await hone.trace.readAnnotationQueue({ queue_id: id, project_id: project.id }, { signal })).queue,
  });
}

const POLL_MS = 5_000;

/** How far queues are: their items, those that somebody has completed, and those that the user has done. */
export function useQueueStatistics(ids: readonly string[]) {
  const project = useProject();
  return useQuery({
    queryKey: ['queue statistics', project.id, ids],
    queryFn: async ({ signal }) => {
      const body = { project_id: project.id, queue_ids: [...ids], with_own: true };
      const { stats } = await hone.trace.readAnnotationQueueStats(body, { signal });
      return new Map(stats.map((one) => [one.queue_id, one]));
    },
    refetchInterval: POLL_MS,
    enabled: ids.length > 0,
  });
}
