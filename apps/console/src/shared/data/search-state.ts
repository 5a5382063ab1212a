import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** No text has a default. */
const NO_DEFAULTS: Readonly<Record<string, string>> = {};

/**
 * Texts of the address's query: what one would like to share, and find again after a reload. A change replaces the entry
 * of the history, so that Back leaves the page.
 *
 * @param defaults what texts are that the address does not have; of the others: ''. Must be the same object each time
 */
export function useSearchValues(
  defaults = NO_DEFAULTS,
): [value: (name: string) => string, set: (name: string, value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (name: string, value: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === defaultOf(defaults, name)) after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    [setSearch, defaults],
  );
  return [(name) => search.get(name) ?? defaultOf(defaults, name), set];
}

const defaultOf = (defaults: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(defaults, name) ? (defaults[name] ?? '') : '';

/** One of these texts. @param defaults as above */
export function useSearchState(
  name: string,
  defaults?: Readonly<Record<string, string>>,
): [value: string, set: (value: string) => void] {
  const [value, set] = useSearchValues(defaults);
  const setThis = useCallback((text: string) => set(name, text), [name, set]);
  return [value(name), setThis];
}
