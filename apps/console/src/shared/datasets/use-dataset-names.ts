import { useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';

/** Ids of the datasets of the project, by name. */
export function useDatasetNames() {
  const project = useProject();
  return useQuery({
    queryKey: ['dataset names', project.id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['Dataset'] };
      const { objs } = await hone.trace.queryObjects(
        { project_id: project.id, filter, metadata_only: true },
        { signal },
      );
      return objs.map(({ object_id }) => object_id).sort();
    },
  });
}
