import type { ReactNode } from 'react';

import { useProject } from '../../shared/data/project.js';
import { Page } from '../../shared/page/page.js';
import { EmptyNote } from '../../shared/ui/notes.js';

/** For somebody whose role lets them look, and not judge. */
export function LookOnly({ title, back }: { readonly title: string; readonly back: ReactNode }) {
  const project = useProject();
  return (
    <Page title={title} back={back}>
      <EmptyNote title="Your role lets you look, not judge">
        <p>Ask an owner of {project.entity} for the role annotator.</p>
      </EmptyNote>
    </Page>
  );
}
