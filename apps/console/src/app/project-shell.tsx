import { useMutation, useQuery } from '@tanstack/react-query';
import { LogOut, SunMoon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';

import { hone } from '../shared/data/hone.js';
import { type Project, ProjectContext, projectOf } from '../shared/data/project.js';
import { useSession } from '../shared/data/session.js';
import { KeysHelp } from '../shared/keyboard/keys-help.js';
import { Button } from '../shared/ui/button.js';
import { Select } from '../shared/ui/input.js';
import { CommandPalette } from './command-palette.js';
import { PAGES } from './navigation.js';
import styles from './project-shell.module.css';
import { storedTheme, storeTheme, THEMES } from './theme.js';

interface Props {
  readonly project: Project;
  readonly children: ReactNode;
}

/** What surrounds every page of a project. */
export const ProjectShell = ({ project, children }: Props) => (
  <ProjectContext value={project}>
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <header className={styles['top']}>
        <Link to="/" className={styles['brand']} aria-label="Hone">
          <img src={`${import.meta.env.BASE_URL}hone.svg`} alt="" width={22} height={22} />
          <span className={styles['name']}>Hone</span>
        </Link>
        <ProjectSwitch project={project} />
        <span className={styles['spacer']} />
        <CommandPalette />
        <KeysHelp />
        <ThemeButton />
        <SignOut />
      </header>
      <Navigation project={project} />
      <main id="main" tabIndex={-1} className={styles['main']}>
        {children}
      </main>
    </div>
  </ProjectContext>
);

function Navigation({ project }: { readonly project: Project }) {
  const [location] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On narrow pages the list scrolls sideways.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [location]);
  const isOpen = (page: string) =>
    page === '' ? location === project.path() : location.startsWith(project.path(page));
  return (
    <nav className={styles['nav']} aria-label="Pages">
      <ul ref={list}>
        {PAGES.map(({ page, label, Icon }) => (
          <li key={page}>
            <Link to={project.path(page)} aria-current={isOpen(page) ? 'page' : undefined}>
              <Icon size={16} aria-hidden /> {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ProjectSwitch({ project }: { readonly project: Project }) {
  const [, navigate] = useLocation();
  const { scopes } = useSession();
  const projects = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => hone.accounts.listProjects({ signal }),
    enabled: scopes.includes('account'),
  });
  const known = projects.data?.data.map(({ project_id }) => project_id) ?? [];
  const ids = [...new Set([project.id, ...known])].sort();
  return (
    <Select aria-label="Project" value={project.id} onChange={({ target }) => navigate(projectOf(target.value).path())}>
      {ids.map((id) => (
        <option key={id}>{id}</option>
      ))}
    </Select>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <Button
      kind="plain"
      title={`Colours: ${theme}`}
      aria-label={`Colours: ${theme}. Change to ${next}`}
      onClick={() => {
        storeTheme(next);
        setTheme(next);
      }}
    >
      <SunMoon size={18} aria-hidden />
    </Button>
  );
}

function SignOut() {
  const { username } = useSession();
  const ending = useMutation({
    mutationFn: () => hone.accounts.endSession(),
    // A new page: nothing of what was shown stays in memory.
    onSuccess: () => location.assign(import.meta.env.BASE_URL),
  });
  return (
    <>
      <span className={styles['who']}>{username}</span>
      <Button kind="plain" title="Sign out" aria-label="Sign out" onClick={() => ending.mutate()}>
        <LogOut size={18} aria-hidden />
      </Button>
    </>
  );
}
