import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

import { Button } from '../ui/button.js';
import styles from './dialog.module.css';

/** Where one begins: the first field, else the first button of the dialog's own. */
const FIRST = ':is(input, select, textarea), form button, :not(header) > button';

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus within it, and gives it back. Shown while it is in the page. */
export function Dialog({ title, close, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current as HTMLDialogElement;
    dialog.showModal();
    // The browser takes the first control, which is the one that closes.
    dialog.querySelector<HTMLElement>(FIRST)?.focus();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={styles['dialog']}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <header className={styles['header']}>
        <h2>{title}</h2>
        <Button kind="plain" aria-label="Close" title="Close (Esc)" onClick={close}>
          <X size={16} aria-hidden />
        </Button>
      </header>
      {children}
    </dialog>
  );
}
