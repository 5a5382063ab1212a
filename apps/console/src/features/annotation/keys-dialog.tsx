import { Dialog } from '../../shared/dialog/dialog.js';
import styles from './annotation.module.css';

const KEYS = [
  ['0 – 9', 'score: the point of a scale, or the option of that position'],
  ['← →', 'move the answer'],
  ['↑ ↓', 'move between criteria'],
  ['Enter', 'complete, and take the next item'],
  ['S', 'skip'],
  ['B F', 'back to the item before, and forward again'],
  ['N', 'write a note; Esc leaves it'],
  ['C', 'show the conversation around the call'],
  ['?', 'this help'],
] as const;

export const KeysDialog = ({ close }: { readonly close: () => void }) => (
  <Dialog title="Keys" close={close}>
    <dl className={styles['keys']}>
      {KEYS.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
