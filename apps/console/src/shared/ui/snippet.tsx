import { CopyButton } from './copy-button.js';
import styles from './ui.module.css';

/** Lines to paste into a terminal, with a button that copies them. */
export const Snippet = ({ text }: { readonly text: string }) => (
  <div className={styles['snippet']}>
    <pre>{text}</pre>
    <CopyButton label="Copy" text={() => text} />
  </div>
);
