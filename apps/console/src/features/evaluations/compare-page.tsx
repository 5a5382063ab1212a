import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { shortRef } from '../../shared/data/refs.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCount } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { ComparedRows } from './compared-rows.js';
import styles from './evaluations.module.css';
import { DifferenceView, formatMissing, IntervalView } from './interval-view.js';
import { type ComparedRun, differenceOf, meanOf, metricNames, type ResultRow } from './results.js';
import { toRun } from './runs.js';
import { useDirection } from './use-direction.js';
import { MAX_MISSING, type Results, useResults } from './use-results.js';

const LETTERS = 'ABCDE';

/** One run by its rows, or two to five beside each other; the first is what the others are compared to. */
export default function ComparePage() {
  const project = useProject();
  const [text] = useSearchState('runs');
  const ids = [...new Set(text.split(',').filter(Boolean))].slice(0, LETTERS.length);
  const results = useResults(ids);
  const models = useModels(ids);
  const back = <Link to={project.path('evaluations')}>Evaluations</Link>;
  const runs = ids.map((id, index) => ({
    id,
    label: `${LETTERS[index] ?? ''} ${shortRef(models.data?.get(id)) || id.slice(-8)}`,
  }));
  return (
    <Page title={ids.length > 1 ? `${ids.length} runs side by side` : 'Run'} back={back}>
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
          <Scores runs={runs} {...results.data} />
          <ComparedRows runs={runs} rows={results.data.rows} />
          <NotShown {...results.data} />
        </div>
      )}
    </Page>
  );
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

interface ScoresProps {
  readonly runs: readonly ComparedRun[];
  readonly rows: readonly ResultRow[];
  readonly summary: Results['summary'];
}

function Scores({ runs, rows, summary }: ScoresProps) {
  const [base, ...others] = runs;
  const { direction, turn } = useDirection();
  if (!base) return null;
  const countsOf = (id: string) => summary.find(({ evaluation_run_id }) => evaluation_run_id === id);
  return (
    <>
      <Table label="Scores" columns={[{ name: 'Metric' }, ...runs.map(({ label }) => ({ name: label }))]}>
        <tr>
          <td>rows predicted, failed, missing</td>
          {runs.map(({ id }) => (
            <td key={id}>
              {formatCount(countsOf(id)?.predicted ?? 0)}, {formatCount(countsOf(id)?.failed ?? 0)},{' '}
              {formatMissing(countsOf(id)?.missing)}
            </td>
          ))}
        </tr>
        {metricNames(rows).map((metric) => (
          <tr key={metric}>
            <td>
              {metric}{' '}
              {others.length > 0 && (
                <Button
                  className={styles['turn'] ?? ''}
                  title="Which way is better. Click to turn it round."
                  onClick={() => turn(metric)}
                >
                  {direction(metric)} is better
                </Button>
              )}
            </td>
            <td>
              <IntervalView interval={meanOf(rows, base.id, metric)} />
            </td>
            {others.map(({ id }) => (
              <td key={id}>
                <IntervalView interval={meanOf(rows, id, metric)} />
                <DifferenceView difference={differenceOf(rows, base.id, id, metric)} direction={direction(metric)} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {others.length > 0 && (
        <p className={page['muted']}>
          Δ is the mean difference to {base.label} over the rows that both have. ● marks one whose 95 % interval leaves
          out 0: there the runs differ by more than chance. Green is better than {base.label}, red is worse.
        </p>
      )}
    </>
  );
}
