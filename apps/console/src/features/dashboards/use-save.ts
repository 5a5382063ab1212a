import { useMutation, useQueryClient } from '@tanstack/react-query';

import { exactHone, hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { toObjectId } from '../../shared/objects/object-id.js';
import { DASHBOARD_CLASS } from '../../shared/objects/use-dashboards.js';
import { type DashboardValue, newDashboard, toStored } from './dashboard.js';

/** Somebody has saved a version that the page did not show yet. */
export class NewerVersionError extends Error {
  override readonly name = 'NewerVersionError';
  constructor() {
    super(
      'Somebody else has saved a version in the meantime. Nothing of yours is lost: look at theirs, then save again.',
    );
  }
}

/** There is a dashboard of this name. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
  constructor() {
    super('There is a dashboard of this name, or an object with its id. Choose another name.');
  }
}

interface Saved {
  readonly objectId: string;
  readonly value: DashboardValue;
  /** Digest of the newest version that the page shows, after which this one is saved; null: there is none. */
  readonly after: string | null;
}

/** Saves a dashboard as a new version, unless there is a newer one than the page has shown. */
export function useSave() {
  const { id: project_id } = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ objectId, value, after }: Saved) => {
      if ((await newestDigest(project_id, objectId)) !== after) throw new NewerVersionError();
      return exactHone.trace.createObject({ obj: { project_id, object_id: objectId, val: toStored(value, after) } });
    },
    // Also after a refusal, to show what there is.
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => /^(object|dashboards)$/.test(String(key)) }),
  });
}

/** Makes a dashboard without charts. @returns id of its object */
export function useCreate() {
  const { id: project_id } = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const object_id = toObjectId(DASHBOARD_CLASS.toLowerCase(), name);
      if ((await newestDigest(project_id, object_id)) !== null) throw new NameTakenError();
      await hone.trace.createObject({ obj: { project_id, object_id, val: toStored(newDashboard(name), null) } });
      return object_id;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['dashboards', project_id] }),
  });
}

/** Deletes all versions of a dashboard. */
export function useDelete() {
  const { id: project_id } = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (object_id: string) => hone.trace.deleteObject({ project_id, object_id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['dashboards', project_id] }),
  });
}

async function newestDigest(project_id: string, objectId: string): Promise<string | null> {
  const filter = { object_ids: [objectId], latest_only: true, is_op: false };
  const { objs } = await hone.trace.queryObjects({ project_id, filter, metadata_only: true });
  return objs[0]?.digest ?? null;
}
