import styles from './line-key.module.css';

/** How a line of a chart is drawn, for a text beside it. @param index of the line, from 0 */
export const LineKey = ({ index }: { readonly index: number }) => (
  <span className={styles['key']} data-line={index + 1} aria-hidden />
);
