import { CircleQuestionMark } from 'lucide-react';
import { useState } from 'react';

import { Dialog } from '../dialog/dialog.js';
import { Button } from '../ui/button.js';
import styles from './keys-help.module.css';
import { useShortcutGroups, useShortcuts } from './shortcuts.js';
import { usePageKeys } from './use-page-keys.js';

const EVERYWHERE = {
  title: 'Everywhere',
  shortcuts: [
    ['Ctrl K', 'go to a page, object, queue, op, model or call'],
    ['?', 'this help'],
    ['Esc', 'close a dialog'],
  ],
} as const;

/** The button, and the key ?, that show which keys there are on the page. */
export function KeysHelp() {
  const [isOpen, setIsOpen] = useState(false);
  const groups = useShortcutGroups();
  useShortcuts(EVERYWHERE);
  usePageKeys({ '?': () => setIsOpen(true) });
  return (
    <span className={styles['help']}>
      <Button kind="plain" aria-label="Keys" title="Keys (?)" onClick={() => setIsOpen(true)}>
        <CircleQuestionMark size={18} aria-hidden />
      </Button>
      {isOpen && (
        <Dialog title="Keys" close={() => setIsOpen(false)}>
          {groups.map(({ title, shortcuts }) => (
            <section key={title} className={styles['group']}>
              <h3>{title}</h3>
              <dl>
                {shortcuts.map(([keys, does]) => (
                  <div key={keys}>
                    <dt>
                      {keys.split(' ').map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </Dialog>
      )}
    </span>
  );
}
