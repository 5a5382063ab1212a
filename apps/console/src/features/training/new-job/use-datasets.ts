import { useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { parseRef } from '../../../shared/data/refs.js';
import type { ChosenDataset } from './job-order.js';

/** The datasets of the project in their newest versions, by name. */
export function useDatasets(isEnabled: boolean) {
  const { id } = useProject();
  return useQuery({
    queryKey: ['datasets to train on', id],
    queryFn: async ({ signal }): Promise<readonly ChosenDataset[]> => {
      const filter = { base_object_classes: ['Dataset'], latest_only: true };
      const { objs } = await hone.trace.queryObjects({ project_id: id, filter }, { signal });
      const datasets = objs.map(({ object_id, version_index, val }) => {
        const { rows } = (typeof val === 'object' && val !== null ? val : {}) as { rows?: unknown };
        const table = typeof rows === 'string' ? (parseRef(rows)?.name ?? null) : null;
        return { objectId: object_id, version: version_index, table };
      });
      return datasets.sort((a, b) => a.objectId.localeCompare(b.objectId));
    },
    enabled: isEnabled,
  });
}
