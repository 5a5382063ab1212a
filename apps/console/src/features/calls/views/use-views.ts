import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { searchOfView, toViewId, toViewValue, VIEW_CLASS } from './saved-view.js';

/** A view of calls that somebody has saved. */
export interface View {
  /** Id of its object. */
  readonly id: string;
  readonly label: string;
  readonly search: string;
  readonly version: number;
  readonly savedAt: string;
  readonly userId: string;
}

/** The views of the project, by their labels. */
export function useViews() {
  const { id } = useProject();
  return useQuery({
    queryKey: ['views', id],
    queryFn: async ({ signal }): Promise<readonly View[]> => {
      const filter = { base_object_classes: [VIEW_CLASS], latest_only: true };
      const { objs } = await hone.trace.queryObjects({ project_id: id, filter }, { signal });
      const views = objs.flatMap(({ object_id, val, version_index, created_at, svc_user_id }) => {
        const search = searchOfView(val);
        if (search === null) return [];
        const { label } = val as { label?: unknown };
        return {
          ...{ id: object_id, label: typeof label === 'string' && label !== '' ? label : object_id, search },
          ...{ version: version_index, savedAt: created_at, userId: svc_user_id },
        };
      });
      return views.sort((a, b) => a.label.localeCompare(b.label));
    },
  });
}

/** Stores the address's query under a label: a new view, or a new version of the one that has it. */
export function useSaveView() {
  const { id: project_id } = useProject();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ label, search, id = toViewId(label) }: { label: string; search: string; id?: string }) =>
      hone.trace.createObject({ obj: { project_id, object_id: id, val: toViewValue(label, search) } }),
    onSuccess: refresh,
  });
}

/** Deletes all versions of a view. */
export function useDeleteView() {
  const { id: project_id } = useProject();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (object_id: string) => hone.trace.deleteObject({ project_id, object_id }),
    onSuccess: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  const { id } = useProject();
  return () => queries.invalidateQueries({ queryKey: ['views', id] });
}
