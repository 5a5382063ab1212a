import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';

import { RemoteBranch, RemoteText } from '../payload/large-payload.js';
import { type JsonPath, searchLocal } from './json-value.js';

/** Hits after which a search ends. */
export const MOST_HITS = 1_000;

interface Hits {
  readonly paths: readonly JsonPath[];
  readonly isPending: boolean;
  /** null: none. */
  readonly error: Error | null;
}

/** Where a value contains a text, whatever its case. @param wanted '': nothing is looked for */
export function useHits(value: unknown, wanted: string): Hits {
  const text = useDeferredValue(wanted);
  const remote = value instanceof RemoteBranch || value instanceof RemoteText ? value : null;
  const local = useMemo(
    () => (remote !== null || text === '' ? [] : searchLocal(value, text, MOST_HITS)),
    [remote, value, text],
  );
  const asked = useQuery({
    queryKey: ['search of a value', remote?.name, text],
    queryFn: ({ signal }) => (remote as NonNullable<typeof remote>).search(text, MOST_HITS, signal),
    enabled: remote !== null && text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  if (remote === null || text === '') return { paths: local, isPending: text !== wanted, error: null };
  const isPending = asked.isPending || asked.isPlaceholderData || text !== wanted;
  return { paths: asked.data ?? [], isPending, error: asked.error };
}
