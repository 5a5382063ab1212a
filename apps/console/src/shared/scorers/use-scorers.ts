import { useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { type Scorer, SCORER_CLASS, toScorer } from './scorer.js';

const MAX_SCORERS = 500;

/** The scorers of the project, each in its newest version, those first that changed last. */
export function useScorers() {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['object scorers', project_id],
    queryFn: async ({ signal }): Promise<readonly Scorer[]> => {
      const filter = { base_object_classes: [SCORER_CLASS], latest_only: true };
      const sort_by = [{ field: 'created_at' as const, direction: 'desc' as const }];
      const { objs } = await hone.trace.queryObjects({ project_id, filter, sort_by, limit: MAX_SCORERS }, { signal });
      return objs.map(toScorer);
    },
  });
}

/** All versions of a scorer, newest first. */
export function useScorerVersions(id: string) {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['object scorer', project_id, id],
    queryFn: async ({ signal }): Promise<readonly Scorer[]> => {
      const filter = { object_ids: [id], base_object_classes: [SCORER_CLASS] };
      const { objs } = await hone.trace.queryObjects({ project_id, filter, limit: MAX_SCORERS }, { signal });
      return objs.map(toScorer).sort((a, b) => b.version - a.version);
    },
  });
}
