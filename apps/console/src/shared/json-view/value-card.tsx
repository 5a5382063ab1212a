import { stringifyJson } from '@hone/client';

import { CopyButton } from '../ui/copy-button.js';
import { JsonView } from './json-view.js';
import styles from './value-card.module.css';

/** A named JSON value that can be copied. */
export const ValueCard = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <section className={styles['value']}>
    <h3>
      {title} <CopyButton label={`Copy ${title.toLowerCase()}`} text={() => stringifyJson(value)} />
    </h3>
    <div>
      <JsonView value={value} label={title} />
    </div>
  </section>
);
