import { isJsonObject } from '@hone/client';

import { DASHBOARD_CLASS } from '../../shared/objects/use-dashboards.js';
import { DEFAULT_SPAN, findTimeSpan } from '../../shared/time-span/time-span.js';
import { type Chart, toChartValue } from './chart.js';

const CLASS_KEYS = { _type: DASHBOARD_CLASS, _class_name: DASHBOARD_CLASS, _bases: ['BaseObject', 'BaseModel'] };
/** Each is read again and again while one looks. */
export const MAX_CHARTS = 24;

/** The value of a dashboard's object. What the console does not know of it stays as it is. */
export type DashboardValue = Readonly<Record<string, unknown>>;

/** The value of a new dashboard. */
export const newDashboard = (name: string): DashboardValue => ({
  ...CLASS_KEYS,
  ...{ name: name.trim(), description: null, time_span: DEFAULT_SPAN, compare: true, charts: [], based_on: null },
});

/** A dashboard as its page shows it. */
export interface Dashboard {
  readonly description: string;
  /** Name of the time that its address does not name. */
  readonly spanName: string;
  readonly isCompared: boolean;
  /** Whatever stands in the place of charts, see `readChart`. */
  readonly charts: readonly unknown[];
  /** What cannot be shown beside what its charts say themselves, in sentences. */
  readonly problems: readonly string[];
}

/** Reads a dashboard, whoever has written it. */
export function readDashboard(val: unknown): Dashboard {
  const value = isJsonObject(val) ? val : {};
  const { description, time_span: spanName, compare, charts } = value;
  const isSpan = typeof spanName === 'string' && findTimeSpan(spanName, Date.now()) !== null;
  const problems = [
    ...(isJsonObject(val) ? [] : ['The object is no dashboard.']),
    ...(spanName !== undefined && !isSpan ? ['Its time is none that Hone knows: the last 24 hours are shown.'] : []),
    ...(charts !== undefined && !Array.isArray(charts) ? ['Its charts are no list.'] : []),
    ...(Array.isArray(charts) && charts.length > MAX_CHARTS
      ? [`Of its ${charts.length} charts the first ${MAX_CHARTS} are shown.`]
      : []),
  ];
  return {
    ...{ description: typeof description === 'string' ? description : '', isCompared: compare === true },
    ...{
      spanName: isSpan ? (spanName as string) : DEFAULT_SPAN,
      charts: Array.isArray(charts) ? charts : [],
      problems,
    },
  };
}

const chartsOf = ({ charts }: DashboardValue): readonly unknown[] => (Array.isArray(charts) ? charts : []);

export const withCharts = (value: DashboardValue, charts: readonly unknown[]): DashboardValue => ({ ...value, charts });

/** With one more chart, the last. */
export const withAdded = (value: DashboardValue, chart: Chart): DashboardValue =>
  withCharts(value, [...chartsOf(value), toChartValue(chart)]);

/** With a chart in the place of another, of which what the console does not know stays. */
export const withReplaced = (value: DashboardValue, at: number, chart: Chart): DashboardValue =>
  withCharts(
    value,
    chartsOf(value).map((one, index) =>
      index === at ? { ...(isJsonObject(one) ? one : {}), ...toChartValue(chart) } : one,
    ),
  );

export const withoutChart = (value: DashboardValue, at: number): DashboardValue =>
  withCharts(
    value,
    chartsOf(value).filter((_, index) => index !== at),
  );

/** With a chart of another width, whatever else it says. */
export const withWidth = (value: DashboardValue, at: number, width: 1 | 2): DashboardValue =>
  withCharts(
    value,
    chartsOf(value).map((one, index) => (index === at && isJsonObject(one) ? { ...one, width } : one)),
  );

/** With a chart moved to another place, at which the others make room. */
export function withMoved(value: DashboardValue, from: number, to: number): DashboardValue {
  const charts = [...chartsOf(value)];
  charts.splice(to, 0, ...charts.splice(from, 1));
  return withCharts(value, charts);
}

/**
 * What is stored of a draft. The version that it began from makes it differ from all versions before: a dashboard that is
 * changed back is a version of its own, and the newest.
 *
 * @param basedOn digest of the version that was the newest before; null: there was none
 */
export const toStored = (value: DashboardValue, basedOn: string | null): DashboardValue => ({
  ...CLASS_KEYS,
  ...value,
  based_on: basedOn,
});
