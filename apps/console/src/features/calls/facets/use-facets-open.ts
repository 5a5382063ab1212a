import { useSyncExternalStore } from 'react';

import { useSearchState } from '../../../shared/data/search-state.js';

const WIDE = '(min-width: 1100px)';

const subscribe = (changed: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Whether the facets are shown: as the address says, else where there is room for them. */
export function useFacetsOpen(): [isOpen: boolean, toggle: () => void] {
  const [said, say] = useSearchState('facets');
  const isWide = useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
  const isOpen = said === '' ? isWide : said === 'on';
  return [isOpen, () => say(isOpen === isWide ? (isOpen ? 'off' : 'on') : '')];
}
