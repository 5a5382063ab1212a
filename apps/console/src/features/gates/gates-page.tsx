import type { GateDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { formatAge, formatCount } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Uncorrected } from '../../shared/labels/uncorrected.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { saidBy } from './gate-words.js';
import { useGates } from './use-gates.js';

const COLUMNS = [
  { name: 'Gate', kind: 'wide' },
  { name: 'Verdict' },
  { name: 'Pairs', kind: 'number' },
  { name: 'Made', kind: 'optional' },
] as const;

/** Decisions between a baseline and a candidate, the newest first. */
export default function GatesPage() {
  const found = useGates();
  const gates = found.data?.pages.flatMap((one) => one.gates);
  return (
    <Page title="Gates">
      {found.error ? (
        <ErrorNote error={found.error} retry={() => void found.refetch()} />
      ) : !gates ? (
        <Loading what="gates" />
      ) : gates.length === 0 ? (
        <NoGates />
      ) : (
        <>
          <Table label="Gates" columns={COLUMNS}>
            {gates.map((gate) => (
              <Gate key={gate.id} gate={gate} />
            ))}
          </Table>
          {found.hasNextPage && (
            <p className={page['more']}>
              <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Show older gates
              </Button>
            </p>
          )}
        </>
      )}
    </Page>
  );
}

function Gate({ gate }: { readonly gate: GateDto }) {
  const project = useProject();
  const now = useNow();
  const { text, tone } = saidBy(gate);
  return (
    <tr>
      <td dir="auto">
        <Link to={project.path(`gates/${gate.id}`)}>{gate.name}</Link>
        <p className={page['muted']}>{gate.sentence}</p>
      </td>
      <td>
        <Badge tone={tone}>{text}</Badge> {gate.basis === 'judge' && <Uncorrected />}
      </td>
      <td data-kind="number">{formatCount(gate.pairs)}</td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(gate.created_at, now)}
      </td>
    </tr>
  );
}

function NoGates() {
  const project = useProject();
  return (
    <EmptyNote title="No gates yet">
      <p>
        A gate decides whether a candidate is better than what you have, and may be looked at as often as you like.
        Choose two runs under <Link to={project.path('evaluations')}>Evaluations</Link>, compare them, and press Decide.
        Or make one from here:
      </p>
      <Snippet
        text={`curl ${location.origin}/evaluation/gates -H "Authorization: Bearer $HONE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"project_id": "${project.id}", "runs": ["<baseline run>", "<candidate run>"], "metric": "scores.exact"}'`}
      />
    </EmptyNote>
  );
}
