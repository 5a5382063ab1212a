import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { shortRef } from '../../shared/data/refs.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCount } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { ComparisonView } from './compare/comparison-view.js';
import { useCompareSettings, useComparison } from './compare/use-comparison.js';
import { CompareWith } from './compare-with.js';
import { ComparedRows } from './compared-rows.js';
import type { ComparedRun, ResultRow } from './results.js';
import { RunScores } from './run-scores.js';
import { toRun } from './runs.js';
import { Jobs } from './start/job-table.js';
import { useJobsOf } from './start/use-evaluation-jobs.js';
import { MAX_MISSING, type Results, useResults } from './use-results.js';

const LETTERS = 'ABCDE';

/** One run by its rows, or two to five beside each other; the first is what the others are compared to. */
export default function ComparePage() {
  const project = useProject();
  const [text] = useSearchState('runs');
  const ids = [...new Set(text.split(',').filter(Boolean))].slice(0, LETTERS.length);
  const jobs = useJobsOf(ids);
  const isRunning = jobs.some(({ finished_at }) => finished_at === null);
  const results = useResults(ids, isRunning);
  const models = useModels(ids);
  const back = <Link to={project.path('evaluations')}>Evaluations</Link>;
  const runs = ids.map((id, index) => ({
    id,
    label: `${LETTERS[index] ?? ''} ${shortRef(models.data?.get(id)) || id.slice(-8)}`,
  }));
  return (
    <Page
      title={ids.length > 1 ? `${ids.length} runs side by side` : 'Run'}
      back={back}
      actions={ids.length === 1 && <CompareWith id={ids[0] ?? ''} />}
    >
      <Jobs jobs={jobs} />
      {ids.length === 0 ? (
        <EmptyNote title="No run is chosen">
          <p>
            Choose two to five of the <Link to={project.path('evaluations')}>runs</Link>, then compare them.
          </p>
        </EmptyNote>
      ) : results.error ? (
        <ErrorNote error={results.error} retry={() => void results.refetch()} />
      ) : !results.data ? (
        <Loading what="results" />
      ) : results.data.rows.length === 0 ? (
        <EmptyNote title="These runs have no rows">
          <p>They have predicted nothing yet, or were deleted.</p>
        </EmptyNote>
      ) : (
        <div className={page['body']}>
          {runs.length > 1 ? (
            <Comparison key={text} {...{ runs, isRunning }} rows={results.data.rows} />
          ) : (
            <RunScores id={runs[0]?.id ?? ''} {...results.data} />
          )}
          <ComparedRows runs={runs} rows={results.data.rows} />
          <NotShown {...results.data} />
        </div>
      )}
    </Page>
  );
}

interface ComparisonProps {
  readonly runs: readonly ComparedRun[];
  readonly rows: readonly ResultRow[];
  readonly isRunning: boolean;
}

/** The statistics of the service, above the rows that they are of. */
function Comparison({ runs, rows, isRunning }: ComparisonProps) {
  const ids = runs.map(({ id }) => id);
  const settings = useCompareSettings(rows);
  const comparison = useComparison(ids, rows, settings, isRunning);
  if (comparison.error) return <ErrorNote error={comparison.error} retry={() => void comparison.refetch()} />;
  if (!comparison.data) return <Loading what="the comparison" />;
  return <ComparisonView {...{ runs, rows, settings }} comparison={comparison.data} />;
}

/** Refs of the models of runs; those of SDKs are in the inputs of their calls. */
function useModels(ids: readonly string[]) {
  const project = useProject();
  return useQuery({
    queryKey: ['models of runs', project.id, ids],
    queryFn: async ({ signal }) => {
      const models = new Map<string, string>();
      const calls = { project_id: project.id, filter: { call_ids: [...ids] }, columns: ['id', 'inputs.model'] };
      for await (const call of hone.trace.queryCalls(calls, { signal })) {
        const model = (call as unknown as Record<string, unknown>)['inputs.model'];
        if (typeof model === 'string') models.set(call.id, model);
      }
      const params = { entity: project.entity, project: project.name, evaluation_run_ids: [...ids] };
      for await (const run of hone.trace.listEvaluationRuns(params, { signal }))
        models.set(run.evaluation_run_id, toRun(run).model ?? '');
      return models;
    },
    enabled: ids.length > 0,
  });
}

/** Says how many missing rows the list leaves out. */
function NotShown({ rows, summary }: Results) {
  const missing = Math.max(0, ...summary.map((run) => run.missing ?? 0));
  const shown = rows.filter(({ cells }) => [...cells.values()].some(({ status }) => status === 'missing')).length;
  if (missing <= shown || shown < MAX_MISSING) return null;
  return (
    <p className={page['muted']}>
      The first {formatCount(shown)} of {formatCount(missing)} missing rows are shown.
    </p>
  );
}
