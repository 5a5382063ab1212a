import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Texts of the address's query: what one would like to share, and find again after a reload. '' is absent. A change
 * replaces the entry of the history, so that Back leaves the page.
 */
export function useSearchValues(): [value: (name: string) => string, set: (name: string, value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (name: string, value: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return [(name) => search.get(name) ?? '', set];
}

/** One of these texts. */
export function useSearchState(name: string): [value: string, set: (value: string) => void] {
  const [value, set] = useSearchValues();
  const setThis = useCallback((text: string) => set(name, text), [name, set]);
  return [value(name), setThis];
}
