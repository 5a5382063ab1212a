import { useSearchState } from '../../shared/data/search-state.js';
import { directionOf } from './direction.js';

/** Names of metrics may have commas. */
const BETWEEN = '\n';

/** Which way metrics are better, as the address of the page keeps it. */
export function useDirection() {
  const [text, setText] = useSearchState('turned');
  const turned = text.split(BETWEEN).filter(Boolean);
  return {
    direction: (metric: string) => directionOf(metric, turned),
    turn: (metric: string) => {
      const after = turned.includes(metric) ? turned.filter((one) => one !== metric) : [...turned, metric];
      setText(after.join(BETWEEN));
    },
  };
}
