import type { ReactNode } from 'react';
import { Link } from 'wouter';

import styles from './ui.module.css';

interface Props {
  readonly to: string;
  /** As that of a button. */
  readonly kind?: 'primary' | 'plain';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A link beside buttons: it leads to another page, and stands in their row. */
export const ButtonLink = ({ kind, ...rest }: Props) => (
  <Link className={`${styles['button']} ${kind ? styles[kind] : ''}`} {...rest} />
);
