import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { toFigures } from '../../shared/calls/figures.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCost, formatCount, formatDuration } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Select } from '../../shared/ui/input.js';
import { BucketChart } from './bucket-chart.js';
import { FirstCall } from './first-call.js';
import styles from './home.module.css';
import { TrainingSummary } from './training-summary.js';

const HOURS = { '1': 'Last hour', '24': 'Last 24 hours', '168': 'Last 7 days', '720': 'Last 30 days' };
const DEFAULT_HOURS = '24';
const POLL_MS = 3_000;
/** Of a project with very many calls these figures take the database long: at most so large a part of the time. */
const MAX_SHARE = 1 / 20;

/** A project at a glance; where nothing is there yet, how to put something there. */
export default function HomePage() {
  const project = useProject();
  const [range, setRange] = useSearchState('hours');
  const hours = range in HOURS ? range : DEFAULT_HOURS;
  const stats = useQuery({
    queryKey: ['home', project.id, hours],
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
      const of = { project_id: project.id, start };
      const began = performance.now();
      const [calls, said, isUsed] = await Promise.all([
        hone.trace.readCallStats(of, { signal }),
        hone.trace.readFeedbackStats(of, { signal }),
        hone.trace.countCalls({ project_id: project.id, limit: 1 }, { signal }),
      ]);
      const judged = said.buckets.reduce((sum, { count }) => sum + Number(count), 0);
      return { ...calls, judged, isUsed: isUsed.count > 0, tookMs: performance.now() - began };
    },
    refetchInterval: ({ state }) => Math.max(POLL_MS, (state.data?.tookMs ?? 0) / MAX_SHARE),
  });
  if (!stats.data)
    return <PendingPage title={project.id} what="the project" error={stats.error} retry={() => void stats.refetch()} />;
  const { isUsed, judged, buckets, start, end, granularity } = stats.data;
  if (!isUsed) return <FirstCall />;
  const figures = toFigures(buckets);
  return (
    <Page
      title={project.id}
      actions={
        <Select aria-label="Time" value={hours} onChange={({ target }) => setRange(target.value)}>
          {Object.entries(HOURS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      }
    >
      <div className={page['body']}>
        <dl className={styles['figures']}>
          <Figure name="Calls" value={formatCount(figures.calls)} />
          <Figure name="Failed" value={formatCount(figures.failed)} />
          <Figure
            name="Mean latency"
            value={figures.meanLatencyMs === null ? '–' : formatDuration(figures.meanLatencyMs)}
          />
          <Figure name="Tokens" value={formatCount(figures.tokens)} />
          <Figure name="Cost" value={formatCost(figures.costUsd)} />
          <Figure name="Feedback" value={formatCount(judged)} to={project.path('feedback')} />
        </dl>
        <p className={page['muted']}>
          Tokens and cost are what all calls of this time say of themselves, those through the gateway and those that
          SDKs trace. <Link to={project.path('usage')}>Usage</Link> has the gateway alone, by model, key and user.
        </p>
        <section className={page['section']} aria-label="Calls over time">
          <h2>
            Calls <Link to={project.path('calls')}>see all</Link>
          </h2>
          <BucketChart buckets={buckets} start={start} end={end} seconds={granularity} />
        </section>
        <TrainingSummary start={start} />
      </div>
    </Page>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** The page that shows what is counted. */
  readonly to?: string;
}

const Figure = ({ name, value, to }: FigureProps) => (
  <div className={styles['figure']}>
    <dt>{name}</dt>
    <dd>{to === undefined ? value : <Link to={to}>{value}</Link>}</dd>
  </div>
);
