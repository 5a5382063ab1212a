import { useState } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import type { Scorer } from '../../shared/scorers/scorer.js';
import { useScorerVersions } from '../../shared/scorers/use-scorers.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { DefinitionView } from './definition-view.js';
import { EditScorer } from './edit-scorer.js';
import { JudgeCalls } from './judge-calls.js';
import { JudgeNewCalls } from './judge-new-calls.js';
import { MonitorTable } from './monitor-table.js';
import { ScoringTable } from './scoring-table.js';
import { TrustCard } from './trust/trust-card.js';
import { TryCard } from './try/try-card.js';

/** A scorer: what it does, what it finds about real calls, and how far people agree with it. */
export default function ScorerPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [wanted] = useSearchState('version');
  const versions = useScorerVersions(id);
  const back = <Link to={project.path('scorers')}>Scorers</Link>;
  if (versions.error || !versions.data) {
    const retry = () => void versions.refetch();
    return <PendingPage title={id} what="the scorer" error={versions.error} {...{ back, retry }} />;
  }
  const shown =
    versions.data.find(({ version, digest }) => `v${version}` === wanted || digest === wanted) ?? versions.data[0];
  if (shown) return <Version key={shown.digest} versions={versions.data} shown={shown} />;
  return (
    <Page title={id} back={back}>
      <EmptyNote title="There is no such scorer">
        <p>It was deleted, or its name is another.</p>
      </EmptyNote>
    </Page>
  );
}

interface VersionProps {
  readonly versions: readonly Scorer[];
  readonly shown: Scorer;
}

type Opened = 'edit' | 'judge' | 'judge new' | null;

function Version({ versions, shown }: VersionProps) {
  const project = useProject();
  const { mayWrite, mayOwn } = useRights();
  const [opened, setOpened] = useState<Opened>(null);
  const [, setVersion] = useSearchState('version');
  const { name, description, definition, version } = shown;
  const close = () => setOpened(null);
  return (
    <Page
      title={name}
      back={<Link to={project.path('scorers')}>Scorers</Link>}
      actions={
        <>
          <Select aria-label="Version" value={`v${version}`} onChange={({ target }) => setVersion(target.value)}>
            {versions.map((one) => (
              <option key={one.digest} value={`v${one.version}`}>
                v{one.version}
              </option>
            ))}
          </Select>
          {definition && mayWrite && opened !== 'edit' && (
            <>
              <Button kind="primary" onClick={() => setOpened('edit')}>
                Edit
              </Button>
              <Button onClick={() => setOpened('judge')}>Judge calls</Button>
            </>
          )}
          {definition && mayOwn && opened !== 'edit' && (
            <Button onClick={() => setOpened('judge new')}>Judge new calls</Button>
          )}
        </>
      }
    >
      <div className={page['body']}>
        {description !== '' && opened !== 'edit' && (
          <p className={page['text']} dir="auto">
            {description}
          </p>
        )}
        {definition === null ? (
          <p className={page['muted']}>
            Its source code judges, where a client runs it:{' '}
            <Link to={project.path(`objects/${encodeURIComponent(shown.id)}?version=v${version}`)}>the object</Link>.
          </p>
        ) : opened === 'edit' ? (
          <EditScorer scorer={shown} definition={definition} close={close} />
        ) : (
          <>
            <DefinitionView definition={definition} />
            <TrustCard scorer={shown} definition={definition} />
            <TryCard scorer={shown} definition={definition} versions={versions} />
          </>
        )}
        {opened !== 'edit' && (
          <>
            <MonitorTable scorerId={shown.id} />
            <ScoringTable scorerId={shown.id} />
          </>
        )}
      </div>
      {opened === 'judge' && <JudgeCalls scorer={shown} close={close} />}
      {opened === 'judge new' && <JudgeNewCalls scorer={shown} close={close} />}
    </Page>
  );
}
