import type { ImprovementDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatAge, formatCost } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { saidOf } from './improvement-words.js';
import styles from './improvements.module.css';
import { ImproveDialog } from './start/improve-dialog.js';
import { useImprovements, useModelName } from './use-improvements.js';

const COLUMNS = [
  { name: 'Improvement', kind: 'wide' },
  { name: 'How it ended' },
  { name: 'Cost', kind: 'optional number' },
  { name: 'Began', kind: 'optional' },
] as const;

/** Attempts to make models better by their judged calls, the newest first. */
export default function ImprovementsPage() {
  const [isNew, setIsNew] = useSearchState('new');
  const { mayOwn } = useRights();
  const found = useImprovements();
  const nameOf = useModelName();
  const improvements = found.data?.pages.flatMap((one) => one.improvements);
  return (
    <Page
      title="Improvements"
      actions={
        mayOwn && (
          <Button kind="primary" onClick={() => setIsNew('1')}>
            Improve a model
          </Button>
        )
      }
    >
      {found.error ? (
        <ErrorNote error={found.error} retry={() => void found.refetch()} />
      ) : !improvements ? (
        <Loading what="improvements" />
      ) : improvements.length === 0 ? (
        <NoImprovements />
      ) : (
        <>
          <Table label="Improvements" columns={COLUMNS}>
            {improvements.map((improvement) => (
              <Improvement key={improvement.id} {...{ improvement }} name={nameOf(improvement.settings.model_id)} />
            ))}
          </Table>
          {found.hasNextPage && (
            <p className={page['more']}>
              <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Show older improvements
              </Button>
            </p>
          )}
        </>
      )}
      {mayOwn && isNew !== '' && <ImproveDialog close={() => setIsNew('')} />}
    </Page>
  );
}

interface Props {
  readonly improvement: ImprovementDto;
  /** Of the model. */
  readonly name: string;
}

function Improvement({ improvement, name }: Props) {
  const project = useProject();
  const now = useNow();
  const { id, sentence, cost_usd, created_at } = improvement;
  const { text, tone } = saidOf(improvement);
  return (
    <tr>
      <td>
        <div className={styles['words']} dir="auto">
          <Link to={project.path(`improvements/${id}`)}>Improve {name}</Link>
          <p className={page['muted']}>{sentence}</p>
        </div>
      </td>
      <td>
        <Badge tone={tone}>{text}</Badge>
      </td>
      <td data-kind="optional number">{formatCost(cost_usd)}</td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(created_at, now)}
      </td>
    </tr>
  );
}

function NoImprovements() {
  const project = useProject();
  return (
    <EmptyNote title="No improvements yet">
      <p>
        An improvement looks which ways to learn the judged calls allow, trains in each, compares all with the current
        checkpoint, and promotes the best one, if one is proven to be better. Press Improve on the page of a model, or
        ask from here:
      </p>
      <Snippet
        text={`curl ${location.origin}/evaluation/improve -H "Authorization: Bearer $HONE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"project_id": "${project.id}", "model_id": "<model>", "evaluate": {"scorers": ["<check>"]}}'`}
      />
    </EmptyNote>
  );
}
