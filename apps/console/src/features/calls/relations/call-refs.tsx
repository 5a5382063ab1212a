import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { projectOf, useProject } from '../../../shared/data/project.js';
import { linksOfRefs } from './call-links.js';

const COLUMNS = ['id', 'input_refs', 'output_refs'];

/** Rows of datasets, prompts and other objects that a call was given or made. */
export function CallRefs({ id, endedAt }: { readonly id: string; readonly endedAt: string | null }) {
  const { id: project_id } = useProject();
  const refs = useQuery({
    queryKey: ['refs of a call', project_id, id, endedAt],
    queryFn: async ({ signal }) => {
      const query = { project_id, filter: { call_ids: [id] }, columns: COLUMNS, limit: 1 };
      const [call] = (await hone.trace.queryCallPages(query, { signal })).calls;
      return [...(call?.input_refs ?? []), ...(call?.output_refs ?? [])];
    },
  });
  const links = linksOfRefs(refs.data ?? []);
  if (links.length === 0) return null;
  return (
    <>
      <dt>Uses</dt>
      <dd>
        {links.map(({ label, projectId, page }) => (
          <div key={`${projectId} ${label}`}>
            <Link to={projectOf(projectId).path(page)}>{label}</Link>
          </div>
        ))}
      </dd>
    </>
  );
}
