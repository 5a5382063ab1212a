import type { CallChartsResultDto, ChartSeriesDto } from '@hone/client';

import { changeOf } from '../charts/change.js';
import type { TimeSeries } from '../charts/time-series.js';
import { shortOpName } from '../format/format.js';
import { type ChartGroup, type ChartMeasure, formatOf, GROUPS, MEASURES } from './measures.js';

const MAX_LABEL = 80;

/** A series of a chart with its name, beside the same of the time before. */
export interface ChartRow {
  /** Distinct within a chart. */
  readonly label: string;
  /** Group -> its value; null: it is the rest, of no one value. */
  readonly key: Readonly<Record<string, string | null>> | null;
  readonly series: ChartSeriesDto;
  /** Null: the time before is not known of it. */
  readonly before: Readonly<Record<string, number | null>> | null;
}

/**
 * The series of a chart, the rest of them last.
 *
 * @param before the same of the time before; null: nothing is compared
 */
export function toChartRows(
  now: CallChartsResultDto,
  before: CallChartsResultDto | null,
  groups: readonly ChartGroup[],
): readonly ChartRow[] {
  const keyOf = ({ key }: ChartSeriesDto) => JSON.stringify(groups.map((group) => key[group] ?? null));
  const then = new Map(before?.series.map((series) => [keyOf(series), series.totals]));
  const label = distinct();
  const rows = now.series.map((series) => ({
    ...{ label: label(labelOf(series, groups)), key: series.key, series },
    before: then.get(keyOf(series)) ?? null,
  }));
  return now.other ? [...rows, { label: label('All others'), key: null, series: now.other, before: null }] : rows;
}

/** One line, or part of each bar, for each row and measure. */
export function toTimeSeries(rows: readonly ChartRow[], measures: readonly ChartMeasure[]): readonly TimeSeries[] {
  const isOne = rows.length === 1 && Object.keys(rows[0]?.key ?? {}).length === 0;
  const label = distinct();
  return rows.flatMap(({ label: name, key, series, before }) =>
    measures.map((measure): TimeSeries => {
      const { label: ofMeasure, better } = MEASURES[measure];
      const [total, then] = [series.totals[measure], before?.[measure]];
      const change = changeOf(total, then, better);
      return {
        label: label(isOne ? ofMeasure : measures.length === 1 ? name : `${name}, ${ofMeasure}`),
        ...{ values: series.values[measure] ?? [], total },
        ...(key === null && measures.length === 1 && { tone: 'rest' as const }),
        ...(change && { change, before: formatOf(measure)(then as number) }),
      };
    }),
  );
}

const labelOf = ({ key }: ChartSeriesDto, groups: readonly ChartGroup[]): string =>
  groups.map((group) => shortValue(group, key[group] ?? null)).join(' · ') || 'All';

function shortValue(group: ChartGroup, value: string | null): string {
  if (value === null) return GROUPS[group].none;
  const text = group === 'op' ? shortOpName(value) : value;
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text;
}

/** Numbers names that come again: ops of two projects, and long values, may look alike. */
function distinct(): (label: string) => string {
  const seen = new Map<string, number>();
  return (label) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  };
}
