import type { ObjectVersionDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { exactHone, hone } from '../data/hone.js';
import { useProject } from '../data/project.js';

/**
 * All versions of an object with their labels, newest first.
 *
 * @param kind `op`: of the op with this name
 * @param pollMs how often it is looked for newer ones, in milliseconds; false: never
 */
export function useObjectVersions(id: string, kind = '', pollMs: number | false = false) {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['object', project_id, id, kind],
    queryFn: async ({ signal }) => {
      const filter = { object_ids: [id], is_op: kind === 'op' };
      const body = { project_id, filter, metadata_only: true, include_tags_and_aliases: true };
      const { objs } = await hone.trace.queryObjects(body, { signal });
      return objs.sort((a, b) => b.version_index - a.version_index);
    },
    refetchInterval: pollMs,
  });
}

/** The value of a version, which never changes, with every digit of its numbers. @param version undefined: none is read */
export function useObjectValue(version: ObjectVersionDto | undefined) {
  const { project_id = '', object_id = '', digest = '' } = version ?? {};
  return useQuery({
    queryKey: ['object value', project_id, object_id, digest],
    queryFn: async ({ signal }) =>
      (await exactHone.trace.readObject({ project_id, object_id, digest }, { signal })).obj.val,
    enabled: version !== undefined,
    staleTime: Infinity,
  });
}

/** The version that an address names by its digest or `v<N>`; else the newest. */
export const versionOf = (versions: readonly ObjectVersionDto[], wanted: string): ObjectVersionDto | undefined =>
  versions.find(({ digest, version_index }) => digest === wanted || `v${version_index}` === wanted) ?? versions[0];
