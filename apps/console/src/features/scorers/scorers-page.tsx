import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { type Scorer, summaryOf } from '../../shared/scorers/scorer.js';
import { useScorers } from '../../shared/scorers/use-scorers.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { MonitorTable } from './monitor-table.js';
import { NewScorer } from './new-scorer.js';
import { ScoringTable } from './scoring-table.js';

const COLUMNS = [
  { name: 'Scorer', kind: 'wide' },
  { name: 'What judges' },
  { name: 'Newest' },
  { name: 'Changed', kind: 'optional' },
] as const;

/** The scorers of a project, what judges new calls, and the jobs that judge older ones. */
export default function ScorersPage() {
  const { mayWrite } = useRights();
  const [isNew, setIsNew] = useSearchState('new');
  const scorers = useScorers();
  return (
    <Page
      title="Scorers"
      actions={
        mayWrite && (
          <Button kind="primary" onClick={() => setIsNew('1')}>
            New scorer
          </Button>
        )
      }
    >
      {scorers.error ? (
        <ErrorNote error={scorers.error} retry={() => void scorers.refetch()} />
      ) : !scorers.data ? (
        <Loading what="scorers" />
      ) : scorers.data.length === 0 ? (
        <NoScorers />
      ) : (
        <div className={page['body']}>
          <ScorerTable scorers={scorers.data} />
          <MonitorTable />
          <ScoringTable />
        </div>
      )}
      {mayWrite && isNew !== '' && <NewScorer close={() => setIsNew('')} />}
    </Page>
  );
}

function ScorerTable({ scorers }: { readonly scorers: readonly Scorer[] }) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  return (
    <Table label="Scorers" columns={COLUMNS}>
      {scorers.map(({ id, name, description, definition, version, savedAt, userId }) => (
        <tr key={id}>
          <td>
            <Link to={project.path(`scorers/${encodeURIComponent(id)}`)}>{name}</Link>
            <div className={page['muted']} dir="auto">
              {description}
            </div>
          </td>
          <td>{summaryOf(definition)}</td>
          <td>v{version}</td>
          <td data-kind="optional" className={page['muted']}>
            {formatAge(savedAt, now)} by {nameOf(userId)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function NoScorers() {
  const project = useProject();
  return (
    <EmptyNote title="No scorers yet">
      <p>
        A scorer judges calls: by a rule, or by asking a model. It is tried on real calls here, judges those of the past
        or new ones as they come, and is compared with what people say. Take a ready one with “New scorer”, or paste:
      </p>
      <Snippet
        text={`curl -u api:$HONE_API_KEY ${location.origin}/v2/${project.id}/scorers -H 'Content-Type: application/json' \\
  -d '{"name": "says thanks", "definition": {"kind": "check", "check":
       {"check": "contains", "value": "thank", "ignore_case": true}}}'`}
      />
    </EmptyNote>
  );
}
