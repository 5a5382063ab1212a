import { useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { objectRef } from '../data/refs.js';
import { toCriterion } from './rubric.js';

/** The project's annotation specs, each in its newest version. */
export function useSpecs() {
  const project = useProject();
  return useQuery({
    queryKey: ['annotation specs', project.id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['AnnotationSpec'] };
      const { objs } = await hone.trace.queryObjects({ project_id: project.id, filter }, { signal });
      return objs.map(({ object_id, digest, val }) => toCriterion(objectRef(project.id, object_id, digest), val));
    },
  });
}
