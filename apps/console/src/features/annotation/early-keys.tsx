import { usePageKeys } from '../../shared/keyboard/use-page-keys.js';
import { Loading } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';

export const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** Keys that judge. Enter is none: without an answer it only names what is missing. */
const JUDGING = [...DIGITS, 'ArrowLeft', 'ArrowRight', 's'];
const SIGNS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', s: 'S' };

/** What each judging key does while keys do not count: it is noted. */
export const notingKeys = (note: (key: string) => void): Readonly<Record<string, () => void>> =>
  Object.fromEntries(JUDGING.map((key) => [key, () => note(SIGNS[key] ?? key)]));

/** No item is shown. Keys that are typed now cannot mean the next one, which nobody has seen. */
export function LoadingItem({ note }: { readonly note: (key: string) => void }) {
  usePageKeys(notingKeys(note));
  return (
    <>
      <p role="status" className={styles['early']}>
        Loading the next item; keys count once it is shown …
      </p>
      <Loading what="the next item" />
    </>
  );
}

/**
 * Some of an annotator's keys came before the item was shown. Those that follow may belong to them, and would answer the
 * wrong criterion, so that none counts before Enter.
 */
export const EarlyKeysNote = ({ keys }: { readonly keys: readonly string[] }) => (
  <p role="status" className={styles['missing']}>
    Typed before this item was shown, and not counted:{' '}
    {keys.map((key, at) => [at > 0 && ' ', <kbd key={at}>{key}</kbd>])}. Look at the item, then press <kbd>Enter</kbd>,
    or click an answer, to begin.
  </p>
);
