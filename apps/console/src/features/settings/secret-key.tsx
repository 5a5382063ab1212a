import { CopyButton } from '../../shared/ui/copy-button.js';
import styles from './settings.module.css';

/** A key that was just made. */
export const SecretKey = ({ secret }: { readonly secret: string }) => (
  <p className={styles['secret']} role="status">
    <code>{secret}</code> <CopyButton label="Copy the key" text={() => secret} />
    <br />
    This is the only time that the key is shown.
  </p>
);
