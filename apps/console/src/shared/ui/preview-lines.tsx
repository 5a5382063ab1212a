import styles from './ui.module.css';

interface Props {
  /** '': none. */
  readonly input: string;
  /** '': none. */
  readonly output: string;
}

/** What was asked and what came of it, each on one line. */
export const PreviewLines = ({ input, output }: Props) => (
  <>
    {input !== '' && (
      <p className={styles['line']} dir="auto" title={input}>
        {input}
      </p>
    )}
    {output !== '' && (
      <p className={styles['line']} dir="auto" title={output}>
        → {output}
      </p>
    )}
  </>
);
