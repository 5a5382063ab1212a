import type { ComponentProps } from 'react';

import styles from './ui.module.css';

type Props = ComponentProps<'button'> & {
  /** `primary`: what the page is for; `plain`: an icon among others. */
  readonly kind?: 'primary' | 'plain';
};

export const Button = ({ kind, className = '', type = 'button', ...rest }: Props) => (
  <button type={type} className={`${styles['button']} ${kind ? styles[kind] : ''} ${className}`} {...rest} />
);
