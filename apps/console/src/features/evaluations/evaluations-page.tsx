import type { EvaluationVersionDto } from '@hone/client';
import { Link, useLocation } from 'wouter';

import { CompareBar, CompareBox, useCompareChoice } from '../../shared/compare/compare-choice.js';
import { useProject } from '../../shared/data/project.js';
import { parseRef, shortRef } from '../../shared/data/refs.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatAge, formatMetric } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { useScorers } from '../../shared/scorers/use-scorers.js';
import { Badge, type Tone } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { isMadeByJudge } from './compare/judges.js';
import { Leaderboard } from './leaderboard.js';
import type { Run } from './runs.js';
import { JobTable } from './start/job-table.js';
import { StartEvaluation } from './start/start-evaluation.js';
import { useRuns } from './use-runs.js';

const COMPARED = { min: 2, max: 5 };
/** Numbers of a summary that a row of the list shows: those of judges stand on the page of the run, with their intervals. */
const SHOWN_METRICS = 3;
/** Begins the names of the counts that a job stands with above the runs. */
const OF_JOB = 'hone.';
const TONES: Readonly<Record<string, Tone>> = { success: 'good', error: 'bad', running: 'warn' };
const COLUMNS = [
  { name: 'Compare', isHidden: true },
  { name: 'Model' },
  { name: 'Evaluation' },
  { name: 'Status' },
  { name: 'Summary', kind: 'optional' },
  { name: 'Began', kind: 'optional number' },
] as const;

/** The runs of a project's evaluations, and how models rank on its datasets. */
export default function EvaluationsPage() {
  const [view, setView] = useSearchState('view');
  const [evaluation, setEvaluation] = useSearchState('evaluation');
  const [isNew, setIsNew] = useSearchState('new');
  const { mayWrite } = useRights();
  const found = useRuns();
  const shown = found.data?.runs.filter((run) => evaluation === '' || nameOf(run) === evaluation);
  const names = [...new Set(found.data?.runs.map(nameOf).filter(Boolean))].sort();
  return (
    <Page
      title="Evaluations"
      actions={
        <>
          {mayWrite && (
            <Button kind="primary" onClick={() => setIsNew('1')}>
              Run an evaluation
            </Button>
          )}
          <Button aria-pressed={view === ''} onClick={() => setView('')}>
            Runs
          </Button>
          <Button aria-pressed={view === 'leaderboard'} onClick={() => setView('leaderboard')}>
            Leaderboard
          </Button>
          {view === '' && (
            <Select aria-label="Evaluation" value={evaluation} onChange={({ target }) => setEvaluation(target.value)}>
              <option value="">Any evaluation</option>
              {[...new Set([...names, evaluation])].filter(Boolean).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </>
      }
    >
      {view === '' && <JobTable />}
      {found.error ? (
        <ErrorNote error={found.error} retry={() => void found.refetch()} />
      ) : !found.data || !shown ? (
        <Loading what="evaluations" />
      ) : found.data.runs.length === 0 ? (
        <NoRuns evaluations={found.data.evaluations} />
      ) : view === 'leaderboard' ? (
        <Leaderboard runs={found.data.runs} evaluations={found.data.evaluations} />
      ) : (
        <Runs runs={shown} />
      )}
      {mayWrite && isNew !== '' && <StartEvaluation close={() => setIsNew('')} />}
    </Page>
  );
}

const nameOf = ({ evaluation }: Run): string => parseRef(evaluation)?.name ?? '';

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  const project = useProject();
  const now = useNow();
  const [, navigate] = useLocation();
  const scorers = useScorers();
  const choice = useCompareChoice(COMPARED);
  const compare = () =>
    navigate(project.path(`evaluations/compare?runs=${choice.chosen.map(encodeURIComponent).join(',')}`));
  if (runs.length === 0) return <EmptyNote title="This evaluation has no runs" />;
  return (
    <>
      <CompareBar limits={COMPARED} chosen={choice.chosen} what="runs; the first is the base" compare={compare} />
      <Table label="Evaluation runs" columns={COLUMNS}>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <CompareBox {...choice} id={run.id} label={`${shortRef(run.model)} of ${run.startedAt}`} />
            </td>
            <td>
              <Link to={project.path(`evaluations/compare?runs=${encodeURIComponent(run.id)}`)}>
                {shortRef(run.model) || run.id}
              </Link>
            </td>
            <td>{shortRef(run.evaluation)}</td>
            <td>
              <Badge tone={TONES[run.status] ?? 'muted'}>{run.status}</Badge>
            </td>
            <td data-kind="optional" className={page['muted']}>
              {[...run.summary]
                .filter(([name]) => !name.startsWith(OF_JOB) && !isMadeByJudge(name, scorers.data ?? []))
                .slice(0, SHOWN_METRICS)
                .map(([name, value]) => `${name} ${formatMetric(value)}`)
                .join(', ')}
            </td>
            <td data-kind="optional number" className={page['muted']}>
              {formatAge(run.startedAt, now)}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function NoRuns({ evaluations }: { readonly evaluations: readonly EvaluationVersionDto[] }) {
  const project = useProject();
  return (
    <EmptyNote title={evaluations.length === 0 ? 'No evaluations yet' : 'No runs yet'}>
      <p>
        An evaluation asks models each row of a dataset and scores the answers. Run one here, or with the Weave SDK:
      </p>
      <Snippet
        text={`# WANDB_BASE_URL=${location.origin} WANDB_API_KEY=$HONE_API_KEY
import asyncio, weave
weave.init("${project.id}")
@weave.op
def exact(output, a): return output == a
@weave.op
def model(q): return "4"
asyncio.run(weave.Evaluation(dataset=[{"q": "2+2", "a": "4"}], scorers=[exact]).evaluate(model))`}
      />
    </EmptyNote>
  );
}
