import { type ComponentType, useEffect, useRef } from 'react';

import { useSearchState } from '../../shared/data/search-state.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { AuditLog } from './audit-log.js';
import { Keys } from './keys.js';
import { Members } from './members.js';
import { Projects } from './projects.js';
import styles from './settings.module.css';
import { TextSearch } from './text-search.js';
import { WhatIsKept } from './what-is-kept.js';

const SECTIONS: Readonly<Record<string, { readonly name: string; readonly Content: ComponentType }>> = {
  keys: { name: 'API keys', Content: Keys },
  members: { name: 'Members', Content: Members },
  projects: { name: 'Projects', Content: Projects },
  kept: { name: 'Retention', Content: WhatIsKept },
  search: { name: 'Text search', Content: TextSearch },
  audit: { name: 'Audit log', Content: AuditLog },
};

/** Keys, people, projects, what is kept and found of calls, and who changed what. */
export default function SettingsPage() {
  const [asked, setSection] = useSearchState('section');
  const chosen = asked in SECTIONS ? asked : 'keys';
  const sections = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On narrow pages they scroll sideways.
    sections.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  const { Content, name: title } = SECTIONS[chosen] as (typeof SECTIONS)[string];
  return (
    <Page title="Settings">
      <div className={page['body']}>
        <div ref={sections} className={styles['sections']} role="group" aria-label="Sections">
          {Object.entries(SECTIONS).map(([id, { name }]) => (
            <button key={id} type="button" aria-pressed={id === chosen} onClick={() => setSection(id)}>
              {name}
            </button>
          ))}
        </div>
        <section className={page['section']} aria-label={title}>
          <h2>{title}</h2>
          <Content />
        </section>
      </div>
    </Page>
  );
}
