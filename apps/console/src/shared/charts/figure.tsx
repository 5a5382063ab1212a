import { Link } from 'wouter';

import { changeOf } from './change.js';
import { ChangeMark } from './change-mark.js';
import styles from './figure.module.css';

interface Props {
  readonly name: string;
  /** Of this time, and of the time before. */
  readonly of: readonly [number | null | undefined, number | null | undefined];
  readonly format: (value: number) => string;
  readonly better?: 'more' | 'less' | undefined;
  /** The page that shows what is counted; null: none does. */
  readonly to: string | null;
}

/** One number with its name, within a `dl`; beside it how it compares with the time before. */
export function Figure({ name, of: [now, before], format, better, to }: Props) {
  const change = changeOf(now, before, better);
  const text = typeof now === 'number' ? format(now) : '–';
  return (
    <div className={styles['figure']}>
      <dt>{name}</dt>
      <dd>
        {to === null ? text : <Link to={to}>{text}</Link>}
        {change && <ChangeMark change={change} before={format(before as number)} />}
      </dd>
    </div>
  );
}
