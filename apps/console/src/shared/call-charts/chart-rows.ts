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

/** Where the calls of a row are listed that a measure is about, without those that its parts are about; null: nowhere. */
type PathOf = (row: ChartRow, measure: ChartMeasure, parts: readonly ChartMeasure[]) => string | null;
const nowhere: PathOf = () => null;

/** One line for each row and measure. */
export const toLines = (
  rows: readonly ChartRow[],
  measures: readonly ChartMeasure[],
  pathOf = nowhere,
): readonly TimeSeries[] =>
  toTimeSeries(
    rows,
    measures.map((measure) => ({ measure, label: MEASURES[measure].label, parts: [] })),
    pathOf,
  );

/** One part of each bar for each row and measure. Of a measure whose parts have bars of their own, the others are one. */
export const toBars = (
  rows: readonly ChartRow[],
  measures: readonly ChartMeasure[],
  pathOf = nowhere,
): readonly TimeSeries[] =>
  toTimeSeries(
    rows,
    measures.map((measure) => {
      const parts = measures.filter((other) => wholeOf(other, measures) === measure);
      const { label, others = label } = MEASURES[measure];
      return { measure, label: parts.length > 0 ? others : label, parts };
    }),
    pathOf,
  );

/** The nearest one of these that a measure is a part of; undefined: it is a part of none. */
function wholeOf(measure: ChartMeasure, measures: readonly ChartMeasure[]): ChartMeasure | undefined {
  const { partOf } = MEASURES[measure];
  return partOf === undefined || measures.includes(partOf) ? partOf : wholeOf(partOf, measures);
}

/** A measure, or what is left of it without some of its parts. */
interface Shown {
  readonly measure: ChartMeasure;
  readonly label: string;
  readonly parts: readonly ChartMeasure[];
}

function toTimeSeries(rows: readonly ChartRow[], all: readonly Shown[], pathOf: PathOf): readonly TimeSeries[] {
  const isOne = rows.length === 1 && Object.keys(rows[0]?.key ?? {}).length === 0;
  const label = distinct();
  return rows.flatMap((row) => {
    const { label: name, key, series, before } = row;
    return all.map((shown): TimeSeries => {
      const { measure, label: ofMeasure } = shown;
      const [total, then] = [series.totals, before ?? {}].map((of) => shownOf(shown, (one) => of[one]));
      const to = pathOf(row, measure, shown.parts);
      const values = series.values[measure] ?? [];
      const change = changeOf(total, then, MEASURES[measure].better);
      return {
        label: label(isOne ? ofMeasure : all.length === 1 ? name : `${name}, ${ofMeasure}`),
        values: values.map((_, at) => shownOf(shown, (one) => series.values[one]?.[at]) ?? null),
        total,
        ...(key === null && all.length === 1 && { tone: 'rest' as const }),
        ...(change && { change, before: formatOf(measure)(then as number) }),
        ...(to !== null && { to }),
      };
    });
  });
}

/** Sums of a time that goes on may not be of the same moment: no bar is below nothing. */
function shownOf(
  { measure, parts }: Shown,
  valueOf: (measure: ChartMeasure) => number | null | undefined,
): number | null | undefined {
  const value = valueOf(measure);
  if (typeof value !== 'number' || parts.length === 0) return value;
  return Math.max(0, value - parts.reduce((sum, part) => sum + (valueOf(part) ?? 0), 0));
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
