import { isJsonObject, JsonNumber, stringifyJson } from '@hone/client';

import {
  type ChartGroup,
  type ChartMeasure,
  GROUPS,
  isGroup,
  isMeasure,
  MEASURES,
} from '../../shared/call-charts/measures.js';
import { fromExpression, toInterfaceQuery } from '../../shared/query/expression.js';
import { queryErrorOf } from '../../shared/query/parse.js';
import { printQuery } from '../../shared/query/print.js';

export const KINDS = { line: 'Lines', bars: 'Bars', number: 'Numbers', table: 'Table' } as const;
export type ChartKind = keyof typeof KINDS;

/** A chart that can be drawn. */
export interface Chart {
  /** '': it has none, see {@link titleOf}. */
  readonly title: string;
  readonly kind: ChartKind;
  /** One or more; of lines and bars all have one unit. */
  readonly measures: readonly ChartMeasure[];
  /** At most two. */
  readonly groups: readonly ChartGroup[];
  /** Of a bucket; null: as the time suggests. */
  readonly bucketSeconds: number | null;
  /** Of the query line. */
  readonly filter: string;
  /** In columns of the dashboard. */
  readonly width: 1 | 2;
}

/** What an object has in place of a chart, and what of it cannot be shown, in sentences. */
export interface ReadChart {
  /** Null: nothing of it can be shown. */
  readonly chart: Chart | null;
  readonly problems: readonly string[];
}

const MAX_TITLE = 200;
const MAX_GROUPS = 2;
const MAX_BUCKET_SECONDS = 31_536_000;
const MAX_NAMED = 40;
const OF_SCORERS: readonly ChartMeasure[] = ['ratings', 'avg_rating'];

/** Reads a chart, whoever has written it. What is missing is as a new chart has it. */
export function readChart(value: unknown): ReadChart {
  if (!isJsonObject(value)) return { chart: null, problems: ['It is no object.'] };
  const problems: string[] = [];
  const groups = readGroups(value['group_by'], problems);
  const measures = readMeasures(value['measures'], groups, problems);
  const filter = readFilter(value, problems);
  if (measures.length === 0 || filter === null) return { chart: null, problems };
  const { title } = value;
  const kind = readKind(value['kind'], problems);
  const chart = {
    ...{ title: typeof title === 'string' ? title.trim().slice(0, MAX_TITLE) : '', kind, measures, groups },
    ...({ bucketSeconds: readBucket(value['bucket_seconds'], problems), filter, width: widthOf(value) } as const),
  };
  return { chart: ofOneUnit(chart, problems), problems };
}

/** What the object has of a chart: `filter` for the console, and the same as `query` for scripts. */
export function toChartValue({ title, kind, measures, groups, bucketSeconds, filter, width }: Chart): object {
  return {
    ...{ title, kind, measures, group_by: groups, bucket_seconds: bucketSeconds, filter },
    query: toInterfaceQuery(filter),
    width,
  };
}

/** The title of a chart, or what it shows. */
export const titleOf = ({ title, measures, groups }: Chart): string =>
  title ||
  `${measures.map((measure) => MEASURES[measure].label).join(', ')}${groups.length > 0 ? ' by ' : ''}${groups.map((group) => GROUPS[group].label.toLowerCase()).join(' and ')}`;

/** Why these cannot be one chart; null: they can. */
export function problemOf({ kind, measures, groups }: Pick<Chart, 'kind' | 'measures' | 'groups'>): string | null {
  const [first] = measures;
  if (first === undefined) return 'A chart shows one measure at least.';
  if (groups.includes('scorer') && measures.some((measure) => !OF_SCORERS.includes(measure)))
    return 'By scorer there are ratings and their mean alone.';
  if (kind === 'line' || kind === 'bars') {
    const other = measures.find((measure) => MEASURES[measure].unit !== MEASURES[first].unit);
    if (other) return `“${MEASURES[first].label}” and “${MEASURES[other].label}” have no axis in common.`;
  }
  const notSum = measures.find((measure) => !MEASURES[measure].isSum);
  if (kind === 'bars' && notSum) return `Bars are stacked, and “${MEASURES[notSum].label}” does not add up: use lines.`;
  return null;
}

/** Why a filter cannot be read; null: it can. */
export function filterProblemOf(filter: string): string | null {
  const error = queryErrorOf(filter);
  return error && `At ${error.start + 1}: ${error.message}`;
}

const textsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const named = (values: readonly unknown[]): string =>
  values
    .slice(0, 3)
    .map((value) => `“${(typeof value === 'string' ? value : stringifyJson(value ?? null)).slice(0, MAX_NAMED)}”`)
    .join(', ') + (values.length > 3 ? ` and ${values.length - 3} more` : '');

function readGroups(value: unknown, problems: string[]): readonly ChartGroup[] {
  const all = [...new Set(textsOf(value))];
  const [known, unknown] = [all.filter(isGroup), all.filter((one) => !isGroup(one))];
  if (unknown.length > 0) problems.push(`It is not grouped by ${named(unknown)}: there is no such group.`);
  if (known.length > MAX_GROUPS)
    problems.push(`It is not grouped by ${named(known.slice(MAX_GROUPS))}: two are the most.`);
  return known.slice(0, MAX_GROUPS);
}

function readMeasures(value: unknown, groups: readonly ChartGroup[], problems: string[]): readonly ChartMeasure[] {
  const all = [...new Set(textsOf(value))];
  const [known, unknown] = [all.filter(isMeasure), all.filter((one) => !isMeasure(one))];
  if (unknown.length > 0) problems.push(`There is no measure ${named(unknown)}.`);
  if (known.length === 0) problems.push('It has no measure that could be shown.');
  if (!groups.includes('scorer')) return known;
  const rated = known.filter((measure) => OF_SCORERS.includes(measure));
  const others = known.filter((measure) => !OF_SCORERS.includes(measure));
  if (others.length > 0) problems.push(`By scorer there is no ${named(others)}.`);
  return rated;
}

/** Without its condition a chart would show other calls than are meant: it is not shown. */
function readFilter(value: Readonly<Record<string, unknown>>, problems: string[]): string | null {
  const { filter, query } = value;
  if (typeof filter === 'string') {
    const problem = filterProblemOf(filter);
    if (problem === null) return filter.trim();
    problems.push(`Its filter cannot be read: ${problem}`);
    return null;
  }
  if (filter !== undefined && filter !== null) {
    problems.push('Its filter is no text.');
    return null;
  }
  if (query === undefined || query === null) return '';
  const read = fromExpression(isJsonObject(query) ? query['$expr'] : query);
  if (read !== null) return printQuery(read);
  problems.push('Its condition says what the query line cannot say.');
  return null;
}

function readKind(value: unknown, problems: string[]): ChartKind {
  if (typeof value === 'string' && Object.hasOwn(KINDS, value)) return value as ChartKind;
  if (value !== undefined) problems.push(`There is no chart of the kind ${named([value])}: it is shown as lines.`);
  return 'line';
}

function readBucket(value: unknown, problems: string[]): number | null {
  if (value === undefined || value === null) return null;
  const seconds = value instanceof JsonNumber ? Number(value.text) : value;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_BUCKET_SECONDS)
    return seconds;
  problems.push(`A bucket of ${named([value])} seconds cannot be: it is as the time suggests.`);
  return null;
}

/** In columns, also of what is no chart. */
export function widthOf(value: unknown): Chart['width'] {
  const width = isJsonObject(value) ? value['width'] : undefined;
  return (width instanceof JsonNumber ? Number(width.text) : width) === 2 ? 2 : 1;
}

/** Lines and bars have one axis; and bars are stacked, so that what does not add up is shown as lines. */
function ofOneUnit(chart: Chart, problems: string[]): Chart {
  if (chart.kind !== 'line' && chart.kind !== 'bars') return chart;
  const unitOf = (measure: ChartMeasure) => MEASURES[measure].unit;
  const measures = chart.measures.filter((measure) => unitOf(measure) === unitOf(chart.measures[0] as ChartMeasure));
  const left = chart.measures.filter((measure) => !measures.includes(measure));
  if (left.length > 0) problems.push(`On the same axis there is no place for ${named(left)}.`);
  const isStacked = chart.kind === 'bars' && measures.every((measure) => MEASURES[measure].isSum);
  if (chart.kind === 'bars' && !isStacked) problems.push('What does not add up is no bar: it is shown as lines.');
  return { ...chart, measures, kind: isStacked ? 'bars' : 'line' };
}
