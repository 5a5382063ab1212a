import type { ComponentProps } from 'react';

import styles from './ui.module.css';

export const Input = ({ className = '', ...rest }: ComponentProps<'input'>) => (
  <input className={`${styles['input']} ${className}`} {...rest} />
);

export const Select = ({ className = '', ...rest }: ComponentProps<'select'>) => (
  <select className={`${styles['input']} ${className}`} {...rest} />
);

export const TextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={`${styles['input']} ${className}`} {...rest} />
);
