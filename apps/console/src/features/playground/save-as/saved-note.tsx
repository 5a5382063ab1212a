import { Link } from 'wouter';

import { Dialog } from '../../../shared/dialog/dialog.js';
import form from '../../../shared/dialog/dialog.module.css';
import { Button } from '../../../shared/ui/button.js';

interface Props {
  readonly what: string;
  /** Of the page that shows it. */
  readonly path: string;
  readonly close: () => void;
}

/** Says where it is: to go there would end the conversation, so the reader decides. */
export const SavedNote = ({ what, path, close }: Props) => (
  <Dialog title="Saved" close={close}>
    <div className={form['form']}>
      <p role="status">
        {what} is saved. <Link to={path}>Open it</Link>
      </p>
      <div className={form['actions']}>
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      </div>
    </div>
  </Dialog>
);
