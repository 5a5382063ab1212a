import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchValues } from '../../shared/data/search-state.js';

/** Opens the row that the address names by its digest, as refs do: by its position from then on. */
export function useNamedRow(table: string): void {
  const project = useProject();
  const [value, set] = useSearchValues();
  const digest = value('digest');
  const found = useQuery({
    queryKey: ['row of a digest', project.id, table, digest],
    queryFn: async ({ signal }) => {
      const body = { project_id: project.id, digest: table, filter: { row_digests: [digest] }, limit: 1 };
      return (await hone.trace.queryTable(body, { signal })).rows[0]?.original_index ?? null;
    },
    enabled: digest !== '',
    staleTime: Infinity,
  });
  const index = found.data;
  useEffect(() => {
    if (digest === '' || index === undefined) return;
    if (index !== null) set('row', String(index));
    set('digest', '');
  }, [digest, index, set]);
}
