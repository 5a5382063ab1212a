import { useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';

/** Ids of the prompts of the project, by name. */
export function usePromptNames() {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['object prompt names', project_id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['Prompt'] };
      const { objs } = await hone.trace.queryObjects({ project_id, filter, metadata_only: true }, { signal });
      return objs.map(({ object_id }) => object_id).sort();
    },
  });
}
