import type { CallChartsResultDto, ChartSeriesDto } from '@hone/client';

import { linkOfKey } from '../../shared/call-charts/chart-links.js';
import { callsLink, WITH_THUMB } from '../../shared/calls/calls-link.js';
import { TimeChart } from '../../shared/charts/time-chart.js';
import type { TimeSeries } from '../../shared/charts/time-series.js';
import { useProject } from '../../shared/data/project.js';
import { formatCost, formatCount, formatDuration } from '../../shared/format/format.js';
import styles from './home.module.css';
import type { HomeFigures } from './use-home-figures.js';

/** Spend, calls, latency, tokens and judgements over time. */
export function Charts({ figures: { span, all, models, scorers } }: { readonly figures: HomeFigures }) {
  const project = useProject();
  const chart = (result: CallChartsResultDto) => ({
    ...{ start: span.start, end: span.end, seconds: result.granularity, times: result.timestamps.map(Date.parse) },
    to: (start: number, end: number) => project.path(`calls?${callsLink({ start, end })}`),
  });
  const [only] = all.series;
  const of = (label: string, measure: string, more: Pick<TimeSeries, 'tone' | 'to'> = {}): TimeSeries => ({
    ...{ label, values: only?.values[measure] ?? [], total: only?.totals[measure], ...more },
  });
  const calls = (condition: string) => project.path(`calls?${callsLink({ ...span, conditions: [condition] })}`);
  const succeeded = only?.values['calls']?.map((count, at) => (count ?? 0) - (only.values['errors']?.[at] ?? 0)) ?? [];
  return (
    <div className={styles['charts']}>
      <TimeChart
        {...chart(models)}
        title="Spend by model"
        kind="bars"
        series={[...models.series, ...(models.other ? [models.other] : [])]
          .filter(({ totals }) => (totals['cost'] ?? 0) > 0)
          .map((one) => byModel(one, (key) => project.path(`calls?${linkOfKey(key, '', span) ?? ''}`)))}
        format={formatCost}
      />
      <TimeChart
        {...chart(all)}
        title="Calls"
        kind="bars"
        series={[
          of('Failed', 'errors', { tone: 'bad', to: calls('status = error') }),
          {
            label: 'Not failed',
            tone: 'plain',
            to: calls('not status = error'),
            values: succeeded,
            total: (only?.totals['calls'] ?? 0) - (only?.totals['errors'] ?? 0),
          },
        ]}
        format={formatCount}
      />
      <TimeChart
        {...chart(all)}
        title="Latency"
        kind="lines"
        series={[of('p50', 'p50_latency_ms'), of('p95', 'p95_latency_ms'), of('p99', 'p99_latency_ms')]}
        format={formatDuration}
      />
      <TimeChart
        {...chart(all)}
        title="Tokens"
        kind="bars"
        series={[of('Prompt', 'prompt_tokens'), of('Completion', 'completion_tokens')]}
        format={formatCount}
      />
      <TimeChart
        {...chart(all)}
        title="Thumbs"
        kind="bars"
        series={[
          of('Down', 'thumbs_down', { tone: 'bad', to: calls(WITH_THUMB.down) }),
          of('Up', 'thumbs_up', { tone: 'plain', to: calls(WITH_THUMB.up) }),
        ]}
        format={formatCount}
      />
      <TimeChart
        {...chart(scorers)}
        title="Scores, mean by scorer"
        kind="lines"
        series={scorers.series
          .filter(({ key }) => key['scorer'] !== null)
          .map(({ key, values, totals }) => ({
            ...{ label: key['scorer'] ?? '', values: values['avg_rating'] ?? [], total: totals['avg_rating'] },
          }))}
        format={(value) => value.toFixed(2)}
      />
    </div>
  );
}

/** @param pathOf where the calls of a model are listed */
function byModel({ key, values, totals }: ChartSeriesDto, pathOf: (key: ChartSeriesDto['key']) => string): TimeSeries {
  const isRest = !('model' in key);
  return {
    label: isRest ? 'Other models' : (key['model'] ?? 'No model'),
    ...{ values: values['cost'] ?? [], total: totals['cost'] },
    ...(isRest ? { tone: 'rest' as const } : { to: pathOf(key) }),
  };
}
