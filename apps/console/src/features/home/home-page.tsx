import { Link } from 'wouter';

import { callsLink } from '../../shared/calls/calls-link.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCost, formatCount, formatDuration } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { SpanSelect } from '../../shared/time-span/span-select.js';
import { DEFAULT_SPAN } from '../../shared/time-span/time-span.js';
import { changeOf } from './change.js';
import { Charts } from './charts.js';
import { FirstCall } from './first-call.js';
import styles from './home.module.css';
import { NewestFailures } from './newest-failures.js';
import { OpsTables } from './ops-tables.js';
import { TrainingSummary } from './training-summary.js';
import { type Dashboard, useDashboard } from './use-dashboard.js';

const DEFAULTS = { span: DEFAULT_SPAN };

/** A project at a glance; where nothing is there yet, how to put something there. */
export default function HomePage() {
  const project = useProject();
  const [span, setSpan] = useSearchState('span', DEFAULTS);
  const dashboard = useDashboard(project.id, span);
  if (!dashboard.data)
    return (
      <PendingPage
        title={project.id}
        what="the project"
        error={dashboard.error}
        retry={() => void dashboard.refetch()}
      />
    );
  if (!dashboard.data.isUsed) return <FirstCall />;
  return (
    <Page title={project.id} actions={<SpanSelect value={span} onChange={setSpan} />}>
      <div className={page['body']}>
        <Figures dashboard={dashboard.data} />
        <Charts dashboard={dashboard.data} />
        <OpsTables ops={dashboard.data.ops.series} span={dashboard.data.span} />
        <NewestFailures calls={dashboard.data.failures} />
        <p className={page['muted']}>
          Tokens and cost are what all calls of this time say of themselves, those through the gateway and those that
          SDKs trace. <Link to={project.path('usage')}>Usage</Link> has the gateway alone, by model, key and user.
        </p>
        <TrainingSummary start={new Date(dashboard.data.span.start).toISOString()} />
      </div>
    </Page>
  );
}

function Figures({ dashboard: { all, before, span } }: { readonly dashboard: Dashboard }) {
  const project = useProject();
  const calls = (more: { status?: string } = {}) => project.path(`calls?${callsLink({ ...span, ...more })}`);
  const of = (measure: string) => [all.totals[measure], before.totals[measure]] as const;
  return (
    <dl className={styles['figures']}>
      <Figure name="Calls" of={of('calls')} format={formatCount} to={calls()} />
      <Figure name="Failed" of={of('errors')} format={formatCount} better="less" to={calls({ status: 'error' })} />
      <Figure name="p95 latency" of={of('p95_latency_ms')} format={formatDuration} better="less" to={calls()} />
      <Figure name="Tokens" of={of('total_tokens')} format={formatCount} to={calls()} />
      <Figure name="Cost" of={of('cost')} format={formatCost} better="less" to={calls()} />
      <Figure
        name="Thumbs down"
        of={of('thumbs_down_rate')}
        format={formatShare}
        better="less"
        to={project.path('feedback')}
      />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  /** Of this time, and of the time before. */
  readonly of: readonly [number | null | undefined, number | null | undefined];
  readonly format: (value: number) => string;
  readonly better?: 'more' | 'less';
  /** The page that shows what is counted. */
  readonly to: string;
}

function Figure({ name, of: [now, before], format, better, to }: FigureProps) {
  const change = changeOf(now, before, better);
  return (
    <div className={styles['figure']}>
      <dt>{name}</dt>
      <dd>
        <Link to={to}>{typeof now === 'number' ? format(now) : '–'}</Link>
        {change && (
          <span
            className={styles['change']}
            data-better={change.isBetter}
            title={`${format(before as number)} in the time before, as long`}
          >
            {change.text}
          </span>
        )}
      </dd>
    </div>
  );
}

/** `12 %`. */
const formatShare = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
