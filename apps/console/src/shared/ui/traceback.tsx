import { LongText } from './long-text.js';
import styles from './ui.module.css';

/** Why a call failed: columns of a traceback stay below each other. */
export const Traceback = ({ text }: { readonly text: string }) => (
  <pre className={styles['traceback']}>
    <LongText text={text} />
  </pre>
);
