import { Search } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useState } from 'react';

import { Dialog } from '../shared/dialog/dialog.js';
import { Button } from '../shared/ui/button.js';
import { Input } from '../shared/ui/input.js';
import styles from './command-palette.module.css';
import { type Command, matching } from './commands.js';
import { useCommands } from './use-commands.js';

/** Ctrl-K, or its button: goes to any page and to what a project has by typing. */
export function CommandPalette() {
  const [isOpen, setIsOpen] = useState(false);
  // Before the page is seen: the first key that somebody presses there is heard.
  useLayoutEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) setIsOpen(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <Button className={styles['open'] ?? ''} title="Go to (Ctrl-K)" onClick={() => setIsOpen(true)}>
        <Search size={15} aria-hidden />
        <span className={styles['hint']}>
          Go to <kbd>Ctrl-K</kbd>
        </span>
      </Button>
      {isOpen && <Palette close={() => setIsOpen(false)} />}
    </>
  );
}

function Palette({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const found = matching(useCommands(typed), typed);
  const chosen = Math.min(at, found.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" close={close}>
      <Input
        className={styles['search'] ?? ''}
        role="combobox"
        aria-label="Go to"
        aria-expanded={found.length > 0}
        aria-controls="commands"
        aria-activedescendant={found[chosen] ? `command-${chosen}` : undefined}
        placeholder="A page, object, queue, op, model, or the id of a call"
        value={typed}
        // Keys stay in the field; the pointer alone goes to the list.
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
      />
      <ul id="commands" role="listbox" aria-label="Found" className={styles['found']}>
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            {command.name} <span className={styles['kind']}>{command.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles['kind']}>Nothing has these words.</p>}
    </Dialog>
  );
}
