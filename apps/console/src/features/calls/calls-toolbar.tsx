import { type ReactNode, useEffect, useState } from 'react';

import { useSearchState } from '../../shared/data/search-state.js';
import { Input, Select } from '../../shared/ui/input.js';
import styles from './calls.module.css';
import { RANGES, STATUSES } from './calls-filter.js';

/** Typing is over after this long. */
const TYPING_MS = 250;

/** Filters of the list; all of them are in the address. */
export function CallsToolbar({ children }: { readonly children: ReactNode }) {
  const [op, setOp] = useSearchState('op');
  const [status, setStatus] = useSearchState('status');
  const [range, setRange] = useSearchState('range');
  const [depth, setDepth] = useSearchState('depth');
  const [typed, setTyped] = useState(op);
  useEffect(() => {
    const timer = setTimeout(() => setOp(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [setOp, typed]);
  return (
    <div className={styles['bar']}>
      <h1>Calls</h1>
      <Input
        type="search"
        aria-label="Part of the name of the op"
        placeholder="Name of the op"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Select aria-label="Status" value={status} onChange={({ target }) => setStatus(target.value)}>
        <option value="">Any status</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {one.replace('_', ' ')}
          </option>
        ))}
      </Select>
      <Select aria-label="Time" value={range} onChange={({ target }) => setRange(target.value)}>
        <option value="">Any time</option>
        {Object.entries(RANGES).map(([minutes, label]) => (
          <option key={minutes} value={minutes}>
            {label}
          </option>
        ))}
      </Select>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={depth === 'all'}
          onChange={({ target }) => setDepth(target.checked ? 'all' : '')}
        />
        Calls within calls
      </label>
      {children}
    </div>
  );
}
