import { useState } from 'react';

import page from '../page/page.module.css';
import { Button } from '../ui/button.js';

/** How many rows of a table can be compared. */
export interface CompareLimits {
  readonly min: number;
  readonly max: number;
}

interface CompareChoice {
  /** Ids, as they were chosen. */
  readonly chosen: readonly string[];
  readonly toggle: (id: string) => void;
}

/** The rows of a table that are to be compared. Where `max` are, another one takes the place of the first. */
export function useCompareChoice({ max }: CompareLimits): CompareChoice {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-max));
  return { chosen, toggle };
}

interface BarProps {
  readonly limits: CompareLimits;
  readonly chosen: readonly string[];
  /** What the rows are, as `jobs`. */
  readonly what: string;
  readonly compare: () => void;
}

/** Leads to the comparison of what was chosen. */
export const CompareBar = ({ limits: { min, max }, chosen, what, compare }: BarProps) => (
  <p className={`${page['row']} ${page['more']}`}>
    <Button kind="primary" disabled={chosen.length < min} onClick={compare}>
      Compare {chosen.length > 0 ? chosen.length : ''}
    </Button>
    <span className={page['muted']}>
      Choose {min} to {max} {what}.
    </span>
  </p>
);

interface BoxProps extends CompareChoice {
  readonly id: string;
  /** Names the row, as `the job of ada made at …`. */
  readonly label: string;
}

/** Chooses a row. */
export const CompareBox = ({ id, label, chosen, toggle }: BoxProps) => (
  <input type="checkbox" aria-label={`Compare ${label}`} checked={chosen.includes(id)} onChange={() => toggle(id)} />
);
