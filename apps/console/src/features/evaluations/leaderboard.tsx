import type { EvaluationVersionDto } from '@hone/client';
import { useMemo } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { shortRef } from '../../shared/data/refs.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCount } from '../../shared/format/format.js';
import { Uncorrected } from '../../shared/labels/uncorrected.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { useScorers } from '../../shared/scorers/use-scorers.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { isJudged } from './compare/judges.js';
import { formatMissing, IntervalView } from './interval-view.js';
import { rankingOf } from './ranking.js';
import { metricNames } from './results.js';
import { datasetNames, newestOfModels, type Run } from './runs.js';
import { useDirection } from './use-direction.js';
import { useResults } from './use-results.js';

/** Runs that the interface compares at a time. */
const MAX_RUNS = 20;
const COLUMNS = [
  { name: 'Place', kind: 'number' },
  { name: 'Model', kind: 'wide' },
  { name: 'Score' },
  { name: 'Rows', kind: 'number' },
  { name: 'Failed', kind: 'number' },
  { name: 'Missing', kind: 'number' },
  { name: 'Evaluation', kind: 'optional' },
] as const;

interface Props {
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly evaluations: readonly EvaluationVersionDto[];
}

/** How models rank on a dataset, each with its newest run. */
export function Leaderboard({ runs, evaluations }: Props) {
  const [wanted, setDataset] = useSearchState('dataset');
  const of = useMemo(() => datasetNames(evaluations), [evaluations]);
  const datasets = [...new Set(runs.map(of))].filter(Boolean).sort();
  const dataset = datasets.includes(wanted) ? wanted : (datasets[0] ?? '');
  const ranked = newestOfModels(runs.filter((run) => of(run) === dataset)).slice(0, MAX_RUNS);
  if (dataset === '')
    return (
      <EmptyNote title="No run names a dataset">
        <p>Runs of evaluations that are stored with their dataset would be ranked here.</p>
      </EmptyNote>
    );
  return (
    <div className={page['body']}>
      <label className={page['row']}>
        Dataset
        <Select value={dataset} onChange={({ target }) => setDataset(target.value)}>
          {datasets.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </label>
      {ranked.length === 0 ? <EmptyNote title="No run of it has ended yet" /> : <Ranking key={dataset} runs={ranked} />}
    </div>
  );
}

function Ranking({ runs }: { readonly runs: readonly Run[] }) {
  const project = useProject();
  const [wanted, setMetric] = useSearchState('metric');
  const scorers = useScorers();
  const { direction } = useDirection();
  const results = useResults(runs.map(({ id }) => id));
  if (results.error) return <ErrorNote error={results.error} retry={() => void results.refetch()} />;
  if (!results.data) return <Loading what="results" />;
  const { rows, summary } = results.data;
  const countsOf = (id: string) => summary.find(({ evaluation_run_id }) => evaluation_run_id === id);
  const metrics = metricNames(rows);
  const usual = metrics.find((name) => direction(name) !== 'neither') ?? metrics[0] ?? '';
  const metric = metrics.includes(wanted) ? wanted : usual;
  const places = rankingOf(runs, rows, metric, direction(metric));
  return (
    <>
      <label className={page['row']}>
        Metric
        <Select value={metric} onChange={({ target }) => setMetric(target.value)}>
          {metrics.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </label>
      <Table label="Leaderboard" columns={COLUMNS}>
        {places.map(({ run, score, place }) => (
          <tr key={run.id}>
            <td data-kind="number">{place ?? '–'}</td>
            <td>
              <Link to={project.path(`evaluations/compare?runs=${encodeURIComponent(run.id)}`)}>
                {shortRef(run.model) || run.id}
              </Link>
            </td>
            <td>
              <IntervalView interval={score} /> {score && isJudged(metric, scorers.data ?? []) && <Uncorrected />}
            </td>
            <td data-kind="number">{score ? formatCount(score.count) : ''}</td>
            <td data-kind="number">{formatCount(countsOf(run.id)?.failed ?? 0)}</td>
            <td data-kind="number">{formatMissing(countsOf(run.id)?.missing)}</td>
            <td data-kind="optional">{shortRef(run.evaluation)}</td>
          </tr>
        ))}
      </Table>
      <p className={page['muted']}>
        The newest run of each model that succeeded, with the mean over the rows that it predicted and the 95 %
        bootstrap interval. Rows that failed or are missing are in no mean.
      </p>
    </>
  );
}
