import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/**
 * One text of the address's query: what one would like to share, and find again after a reload. '' is absent. A change
 * replaces the entry of the history, so that Back leaves the page.
 */
export function useSearchState(name: string): [value: string, set: (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    [name, setSearch],
  );
  return [search.get(name) ?? '', set];
}
