import type { TrainingJobDto } from '@hone/client';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';

import { LineChart } from '../../../shared/charts/line-chart.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { Page } from '../../../shared/page/page.js';
import page from '../../../shared/page/page.module.css';
import { Select } from '../../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { toCurves } from '../curves.js';
import styles from '../training.module.css';
import { jobKey, useEventsOfJobs } from '../use-job-events.js';
import { compareCurves, COMPARED, type ComparedCurve, type Shown } from './compared-curves.js';
import { type ComparedJob, JobTable, OutcomeTable, SettingsTable } from './job-tables.js';

const LETTERS = 'ABCD';
/** Those that people look at first. */
const MAIN_CURVES = 6;
const SHOWN: Readonly<Record<Shown, string>> = { both: 'Values and means', means: 'Means', values: 'Values' };

/** Two to four jobs over each other: their curves while they run, what they ended with, and how their settings differ. */
export default function CompareJobsPage() {
  const project = useProject();
  const [text] = useSearchState('jobs');
  const [lines, setLines] = useSearchState('lines');
  const shown = lines in SHOWN ? (lines as Shown) : 'both';
  const ids = [...new Set(text.split(',').filter(Boolean))].slice(0, COMPARED.max);
  return (
    <Page
      title={ids.length > 1 ? `${ids.length} jobs side by side` : 'Jobs side by side'}
      back={<Link to={project.path('training')}>Training</Link>}
      actions={
        ids.length >= COMPARED.min && (
          <Select aria-label="Lines" value={shown} onChange={({ target }) => setLines(target.value)}>
            {Object.entries(SHOWN).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )
      }
    >
      {ids.length < COMPARED.min ? (
        <EmptyNote title="Too few jobs are chosen">
          <p>
            Choose two to four of the <Link to={project.path('training')}>jobs</Link>, then compare them.
          </p>
        </EmptyNote>
      ) : (
        <Compared ids={ids} shown={shown} />
      )}
    </Page>
  );
}

function Compared({ ids, shown }: { readonly ids: readonly string[]; readonly shown: Shown }) {
  const jobs = useJobs(ids);
  const names = useModelNames(jobs.data ?? []);
  const { events, error } = useEventsOfJobs(ids);
  const curves = useMemo(() => ids.map((id) => toCurves(events.get(id) ?? [])), [ids, events]);
  const compared = useMemo(
    () =>
      compareCurves(
        curves.map((own, at) => ({ label: LETTERS[at] ?? '', curves: own })),
        shown,
      ),
    [curves, shown],
  );
  if (jobs.error) return <ErrorNote error={jobs.error} retry={jobs.retry} />;
  // A name that came after its id would move all that is below.
  if (!jobs.data || names === null) return <Loading what="jobs" />;
  const lettered: readonly ComparedJob[] = jobs.data.map((job, at) => ({
    ...{ letter: LETTERS[at] ?? '', job, model: names.get(job.model_id) ?? job.model_id, curves: curves[at] ?? [] },
  }));
  return (
    <div className={page['body']}>
      {error !== null && <ErrorNote error={error} />}
      <JobTable jobs={lettered} />
      <Charts curves={compared.slice(0, MAIN_CURVES)} />
      {compared.length > MAIN_CURVES && (
        <details>
          <summary>{compared.length - MAIN_CURVES} more figures</summary>
          <Charts curves={compared.slice(MAIN_CURVES)} />
        </details>
      )}
      <OutcomeTable jobs={lettered} />
      <SettingsTable jobs={lettered} />
    </div>
  );
}

const Charts = ({ curves }: { readonly curves: readonly ComparedCurve[] }) => (
  <div className={styles['curves']}>
    {curves.map(({ name, xs, lines }) => (
      <LineChart key={name} title={name} xs={xs} lines={lines} />
    ))}
  </div>
);

/** The jobs in the order of the ids. */
function useJobs(ids: readonly string[]) {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: jobKey(id),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        hone.training.getTrainingJob({ training_job_id: id }, { signal }),
    })),
    combine: (found) => ({
      error: found.find(({ error }) => error !== null)?.error ?? null,
      retry: () => void Promise.all(found.map(({ refetch }) => refetch())),
      data: found.every(({ data }) => data !== undefined) ? found.map(({ data }) => data as TrainingJobDto) : undefined,
    }),
  });
}

/** Names of the jobs' models, by their ids; a model that was deleted has none. null: they are still asked for. */
function useModelNames(jobs: readonly TrainingJobDto[]): ReadonlyMap<string, string> | null {
  return useQueries({
    queries: [...new Set(jobs.map(({ model_id }) => model_id))].map((id) => ({
      queryKey: ['model name', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        hone.training.getTrainableModel({ model_id: id }, { signal }),
    })),
    combine: (found) =>
      found.some(({ isPending }) => isPending)
        ? null
        : new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  });
}
