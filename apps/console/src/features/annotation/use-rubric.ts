import { useQuery } from '@tanstack/react-query';

import { type Criterion, toCriterion } from '../../shared/annotation/rubric.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

/** What a queue asks its annotators. */
export function useRubric(refs: readonly string[] | undefined) {
  const project = useProject();
  return useQuery({
    queryKey: ['rubric', project.id, refs],
    queryFn: async ({ signal }): Promise<readonly Criterion[]> => {
      if (refs === undefined || refs.length === 0) return [];
      const { vals } = await hone.trace.readRefs({ refs: [...refs] }, { signal });
      return refs.map((ref, index) => toCriterion(ref, vals[index]));
    },
    enabled: refs !== undefined,
    staleTime: Infinity,
  });
}
