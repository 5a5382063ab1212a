import { isJsonObject } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';

/** Class of the objects that dashboards are. */
export const DASHBOARD_CLASS = 'Dashboard';
const MAX_NAME = 120;

/** A dashboard of the project, in its newest version. */
export interface ListedDashboard {
  /** Id of its object. */
  readonly id: string;
  readonly name: string;
  readonly charts: number;
  readonly version: number;
  readonly savedAt: string;
  readonly userId: string;
}

/** The dashboards of the project, by their names. */
export function useDashboards() {
  const { id } = useProject();
  return useQuery({
    queryKey: ['dashboards', id],
    queryFn: async ({ signal }): Promise<readonly ListedDashboard[]> => {
      const filter = { base_object_classes: [DASHBOARD_CLASS], latest_only: true };
      const { objs } = await hone.trace.queryObjects({ project_id: id, filter }, { signal });
      const dashboards = objs.map(({ object_id, val, version_index, created_at, svc_user_id }) => ({
        ...{ id: object_id, name: dashboardName(val, object_id), charts: countCharts(val) },
        ...{ version: version_index, savedAt: created_at, userId: svc_user_id },
      }));
      return dashboards.sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

/** What a dashboard is called: by its own name, else by that of its object. */
export function dashboardName(val: unknown, objectId: string): string {
  const name = isJsonObject(val) ? val['name'] : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, MAX_NAME) : objectId;
}

const countCharts = (val: unknown): number =>
  isJsonObject(val) && Array.isArray(val['charts']) ? val['charts'].length : 0;
