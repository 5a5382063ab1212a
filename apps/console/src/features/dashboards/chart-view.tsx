import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { isAboutAll, linkOfKey } from '../../shared/call-charts/chart-links.js';
import { type ChartRow, toBars, toChartRows, toLines } from '../../shared/call-charts/chart-rows.js';
import { type ChartMeasure, formatOf, GROUPS, MEASURES } from '../../shared/call-charts/measures.js';
import { callsLink } from '../../shared/calls/calls-link.js';
import { changeOf } from '../../shared/charts/change.js';
import { ChangeMark } from '../../shared/charts/change-mark.js';
import { Figure } from '../../shared/charts/figure.js';
import { bucketLabel } from '../../shared/charts/ticks.js';
import { TimeChart } from '../../shared/charts/time-chart.js';
import { type Project, useProject } from '../../shared/data/project.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import type { TimeSpan } from '../../shared/time-span/time-span.js';
import { type Chart, titleOf } from './chart.js';
import styles from './dashboards.module.css';
import type { ChartFigures } from './use-chart.js';

interface Props {
  readonly chart: Chart;
  /** Among the charts of the dashboard, from 1. */
  readonly number: number;
  readonly figures: ChartFigures;
}

/** The figures of a chart as it wants them; each leads to the calls that are counted. */
export function ChartView({ chart, number, figures: { span, now, before } }: Props) {
  const project = useProject();
  const rows = toChartRows(now, before, chart.groups);
  const conditions = chart.filter === '' ? [] : [`(${chart.filter})`];
  const to = (start: number, end: number) => project.path(`calls?${callsLink({ start, end, conditions })}`);
  const times = now.timestamps.map((time) => Date.parse(time));
  switch (chart.kind) {
    case 'line':
    case 'bars':
      return (
        <TimeChart
          title={titleOf(chart)}
          kind={chart.kind === 'bars' ? 'bars' : 'lines'}
          {...{ start: span.start, end: span.end, seconds: now.granularity, times, to }}
          series={(chart.kind === 'bars' ? toBars : toLines)(rows, chart.measures, ({ key }, measure, parts) =>
            chart.groups.length > 0 || ![measure, ...parts].every(isAboutAll)
              ? pathOf(project, key, chart, span, measure, parts)
              : null,
          )}
          format={formatOf(chart.measures[0] as ChartMeasure)}
        />
      );
    case 'number':
      return <Numbers {...{ chart, rows, span }} />;
    case 'table':
      return chart.groups.length > 0 ? (
        <RowsTable {...{ chart, number, rows, span }} />
      ) : (
        <TimesTable row={rows[0]} {...{ chart, number, times, to, seconds: now.granularity }} />
      );
  }
}

interface RowsProps {
  readonly chart: Chart;
  readonly rows: readonly ChartRow[];
  readonly span: TimeSpan;
}

const Titled = ({ chart, children }: { readonly chart: Chart; readonly children: ReactNode }) => (
  <figure className={styles['titled']}>
    <figcaption>
      <b>{titleOf(chart)}</b>
    </figcaption>
    {children}
  </figure>
);

const Nothing = () => <p className={page['muted']}>Nothing in this time.</p>;

function Numbers({ chart, rows, span }: RowsProps) {
  const project = useProject();
  return (
    <Titled chart={chart}>
      {rows.length === 0 && <Nothing />}
      <dl className={styles['numbers']}>
        {rows.flatMap(({ label, key, series, before }) =>
          chart.measures.map((measure) => (
            <Figure
              key={`${label} ${measure}`}
              name={nameOf(label, measure, chart)}
              of={[series.totals[measure], before?.[measure]]}
              format={formatOf(measure)}
              better={MEASURES[measure].better}
              to={pathOf(project, key, chart, span, measure)}
            />
          )),
        )}
      </dl>
    </Titled>
  );
}

function nameOf(label: string, measure: ChartMeasure, { groups, measures }: Chart): string {
  if (groups.length === 0) return MEASURES[measure].label;
  return measures.length === 1 ? label : `${label}, ${MEASURES[measure].label}`;
}

const toColumns = (measures: readonly ChartMeasure[]) =>
  measures.map((measure) => ({ name: MEASURES[measure].label, kind: 'number' as const }));

function RowsTable({ chart, number, rows, span }: RowsProps & Pick<Props, 'number'>) {
  const project = useProject();
  const name = chart.groups.map((group) => GROUPS[group].label).join(' · ');
  if (rows.length === 0)
    return (
      <Titled chart={chart}>
        <Nothing />
      </Titled>
    );
  return (
    <Titled chart={chart}>
      <Table label={`Table of chart ${number}: ${titleOf(chart)}`} columns={[{ name }, ...toColumns(chart.measures)]}>
        {rows.map(({ label, key, series, before }) => (
          <tr key={label}>
            <th scope="row">
              <RowName label={label} to={pathOf(project, key, chart, span)} />
            </th>
            {chart.measures.map((measure) => (
              <td key={measure} data-kind="number">
                <Value measure={measure} now={series.totals[measure]} before={before?.[measure]} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </Titled>
  );
}

const RowName = ({ label, to }: { readonly label: string; readonly to: string | null }) =>
  to === null ? label : <Link to={to}>{label}</Link>;

/** Where the calls of a row are listed, those alone that a measure is about, and none of its parts; null: nowhere. */
function pathOf(
  project: Project,
  key: ChartRow['key'],
  { filter }: Chart,
  span: TimeSpan,
  measure?: ChartMeasure,
  parts: readonly ChartMeasure[] = [],
): string | null {
  const search = key && linkOfKey(key, filter, span, measure, parts);
  return search && project.path(`calls?${search}`);
}

interface TimesProps {
  readonly chart: Chart;
  readonly number: number;
  /** Undefined: there are no calls. */
  readonly row: ChartRow | undefined;
  readonly times: readonly number[];
  readonly seconds: number;
  readonly to: (start: number, end: number) => string;
}

/** Bucket by bucket, the newest first, below them all of the time. */
function TimesTable({ chart, number, row, times, seconds, to }: TimesProps) {
  if (row === undefined || times.length === 0)
    return (
      <Titled chart={chart}>
        <Nothing />
      </Titled>
    );
  const { series, before } = row;
  return (
    <Titled chart={chart}>
      <Table
        label={`Table of chart ${number}: ${titleOf(chart)}`}
        columns={[{ name: 'Time' }, ...toColumns(chart.measures)]}
      >
        <tr>
          <th scope="row">All of the time</th>
          {chart.measures.map((measure) => (
            <td key={measure} data-kind="number">
              <Value measure={measure} now={series.totals[measure]} before={before?.[measure]} />
            </td>
          ))}
        </tr>
        {times
          .map((start, at) => (
            <tr key={start}>
              <th scope="row">
                <Link to={to(start, start + seconds * 1_000)}>{bucketLabel(start, seconds)}</Link>
              </th>
              {chart.measures.map((measure) => (
                <td key={measure} data-kind="number">
                  <Value measure={measure} now={series.values[measure]?.[at]} before={null} />
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </Table>
    </Titled>
  );
}

interface ValueProps {
  readonly measure: ChartMeasure;
  readonly now: number | null | undefined;
  readonly before: number | null | undefined;
}

function Value({ measure, now, before }: ValueProps) {
  const format = formatOf(measure);
  const change = changeOf(now, before, MEASURES[measure].better);
  return (
    <>
      {typeof now === 'number' ? format(now) : '–'}
      {change && <ChangeMark change={change} before={format(before as number)} />}
    </>
  );
}
