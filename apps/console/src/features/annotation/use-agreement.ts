import { useQueries } from '@tanstack/react-query';

import { type Criterion, levelOf } from '../../shared/annotation/rubric.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

/** How well annotators agree on each criterion, in the order of the rubric. */
export function useAgreement(queueId: string, rubric: readonly Criterion[]) {
  const project = useProject();
  return useQueries({
    queries: rubric.map(({ name, control }) => ({
      queryKey: ['agreement', project.id, queueId, name],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
        const params = { queue_id: queueId, project_id: project.id, name, level: levelOf(control) };
        return hone.trace.readAnnotationAgreement(params, { signal });
      },
    })),
  });
}
