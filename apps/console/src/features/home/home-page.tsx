import { Link } from 'wouter';

import { callsLink, WITH_THUMB } from '../../shared/calls/calls-link.js';
import { Figure } from '../../shared/charts/figure.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCost, formatCount, formatDuration, formatShare } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { SpanSelect } from '../../shared/time-span/span-select.js';
import { DEFAULT_SPAN } from '../../shared/time-span/time-span.js';
import { Charts } from './charts.js';
import { DashboardLinks } from './dashboard-links.js';
import { FirstCall } from './first-call.js';
import styles from './home.module.css';
import { NewestFailures } from './newest-failures.js';
import { OpsTables } from './ops-tables.js';
import { TrainingSummary } from './training-summary.js';
import { type HomeFigures, useHomeFigures } from './use-home-figures.js';

const DEFAULTS = { span: DEFAULT_SPAN };

/** A project at a glance; where nothing is there yet, how to put something there. */
export default function HomePage() {
  const project = useProject();
  const [span, setSpan] = useSearchState('span', DEFAULTS);
  const figures = useHomeFigures(project.id, span);
  if (!figures.data)
    return (
      <PendingPage title={project.id} what="the project" error={figures.error} retry={() => void figures.refetch()} />
    );
  if (!figures.data.isUsed) return <FirstCall />;
  return (
    <Page title={project.id} actions={<SpanSelect value={span} onChange={setSpan} />}>
      <div className={page['body']}>
        <DashboardLinks />
        <Figures figures={figures.data} />
        <Charts figures={figures.data} />
        <OpsTables ops={figures.data.ops.series} span={figures.data.span} />
        <NewestFailures calls={figures.data.failures} />
        <p className={page['muted']}>
          Tokens and cost are what all calls of this time say of themselves, those through the gateway and those that
          SDKs trace. <Link to={project.path('usage')}>Usage</Link> has the gateway alone, by model, key and user.
        </p>
        <TrainingSummary start={new Date(figures.data.span.start).toISOString()} />
      </div>
    </Page>
  );
}

function Figures({ figures: { all, before, span } }: { readonly figures: HomeFigures }) {
  const project = useProject();
  const calls = (more: { status?: string; conditions?: readonly string[] } = {}) =>
    project.path(`calls?${callsLink({ ...span, ...more })}`);
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
        to={calls({ conditions: [WITH_THUMB.down] })}
      />
    </dl>
  );
}
