import { useCallback } from 'react';

import { useSearchState } from '../../shared/data/search-state.js';
import { directionOf } from './direction.js';

/** Names of metrics may have commas. */
const BETWEEN = '\n';

const namesIn = (text: string): string[] => text.split(BETWEEN).filter(Boolean);

/** Which way metrics are better, as the address of the page keeps it. */
export function useDirection() {
  const [text, setText] = useSearchState('turned');
  const direction = useCallback((metric: string) => directionOf(metric, namesIn(text)), [text]);
  return {
    direction,
    turn: (metric: string) => {
      const turned = namesIn(text);
      const after = turned.includes(metric) ? turned.filter((one) => one !== metric) : [...turned, metric];
      setText(after.join(BETWEEN));
    },
  };
}
