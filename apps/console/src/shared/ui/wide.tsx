import type { ReactNode } from 'react';

import page from './page.module.css';

/** Content that may be wider than the page: it scrolls by itself, also by the keyboard. */
export const Wide = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll only what has the focus
  <div className={page['scroll']} role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
