import type { ReactNode } from 'react';

import styles from './ui.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'muted';

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={`${styles['badge']} ${styles[tone]}`}>{children}</span>
);
