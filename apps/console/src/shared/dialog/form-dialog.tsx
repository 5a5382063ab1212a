import type { FormEvent, ReactNode } from 'react';

import { Button } from '../ui/button.js';
import { ErrorNote } from '../ui/notes.js';
import { Dialog } from './dialog.js';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  /** What the button says that carries it out. */
  readonly action: string;
  readonly isPending: boolean;
  /** null: none. */
  readonly error: Error | null;
  readonly isReady?: boolean;
  readonly submit: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Asks for what an action needs, or whether it is meant. What the server refuses is shown in place. */
export function FormDialog({ title, action, isPending, error, isReady = true, submit, close, children }: Props) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <Dialog title={title} close={close}>
      <form className={styles['form']} onSubmit={onSubmit}>
        {children}
        {error && <ErrorNote error={error} />}
        <div className={styles['actions']}>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || !isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
