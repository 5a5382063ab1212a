import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../shared/data/hone.js';
import { projectOf, useProject } from '../shared/data/project.js';
import { useRights } from '../shared/data/role.js';
import { Dialog } from '../shared/dialog/dialog.js';
import { Input } from '../shared/ui/input.js';
import styles from './command-palette.module.css';
import { type Command, matching } from './commands.js';
import { PAGES } from './navigation.js';

const LIMIT = 100;

/** Ctrl-K: goes to any page, project, model or call by typing. */
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
  return isOpen && <Palette close={() => setIsOpen(false)} />;
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
        placeholder="A page, project, model, or the id of a call"
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

const CALL_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function useCommands(typed: string): readonly Command[] {
  const project = useProject();
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const projects = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => hone.accounts.listProjects({ signal }),
    retry: false,
  });
  const models = useQuery({
    queryKey: ['trainable models', project.id, 'names'],
    queryFn: ({ signal }) =>
      hone.training.listTrainableModels(
        { entity: project.entity, project: project.name, order: 'desc', limit: LIMIT },
        { signal },
      ),
    retry: false,
  });
  const goTo = (path: string) => () => navigate(path);
  const id = typed.trim().replace(/^chatcmpl-/, '');
  return [
    ...(CALL_ID.test(id) ? [{ id, name: typed, kind: 'Call', run: goTo(project.path(`calls/${id}`)) }] : []),
    ...PAGES.map(({ page, label }) => ({ id: page, name: label, kind: 'Page', run: goTo(project.path(page)) })),
    ...(mayWrite
      ? [{ id: 'new job', name: 'New training job', kind: 'Page', run: goTo(project.path('training/new')) }]
      : []),
    ...(models.data?.data ?? []).map((model) => ({
      ...{ id: model.id, name: model.name, kind: 'Model' },
      run: goTo(project.path(`training/models/${model.id}`)),
    })),
    ...(projects.data?.data ?? []).map(({ project_id }) => ({
      ...{ id: project_id, name: project_id, kind: 'Project' },
      run: goTo(projectOf(project_id).path()),
    })),
  ];
}
