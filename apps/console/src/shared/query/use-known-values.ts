import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';

/** Enough to meet what is common, few enough to be there while one types. */
const SAMPLE = 1_000;
const LIMIT = 50;
const STALE_MS = 60_000;
const NONE: readonly string[] = [];

/** The most frequent values of a field of the newest calls, or its keys where it is an object. @param field null: none */
export function useKnownValues(field: string | null): readonly string[] {
  const { id } = useProject();
  const { data } = useQuery({
    queryKey: ['known values', id, field],
    queryFn: async ({ signal }) => {
      const body = { project_id: id, fields: [field as string], limit: LIMIT, sample: SAMPLE };
      const { facets } = await hone.trace.countCallFacets(body, { signal });
      return (facets[0]?.values ?? []).map(({ value }) => value).filter((value) => value !== null);
    },
    enabled: field !== null,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return field === null ? NONE : (data ?? NONE);
}
