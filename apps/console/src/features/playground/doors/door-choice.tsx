import { useId } from 'react';

import page from '../../../shared/page/page.module.css';
import { Select } from '../../../shared/ui/input.js';
import styles from '../playground.module.css';
import type { Door } from './door.js';
import { DOORS } from './doors.js';

interface Props {
  readonly door: Door;
  readonly choose: (name: string) => void;
}

/** In which form the gateway is asked. */
export function DoorChoice({ door, choose }: Props) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>API</label>
      <Select id={id} value={door.name} onChange={({ target }) => choose(target.value)}>
        {DOORS.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** What of the request the door has no place for. */
export const NotSent = ({ door, leftOut }: { readonly door: Door; readonly leftOut: readonly string[] }) =>
  leftOut.length > 0 && (
    <div className={page['muted']}>
      <p>Not sent through {door.label}:</p>
      <ul aria-label="Not sent">
        {leftOut.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
