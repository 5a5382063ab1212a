import { COLUMNS, isTime, pathProblem, toFieldName } from '../../../shared/query/fields.js';
import { printPath } from '../../../shared/query/print.js';
import type { Path } from '../../../shared/query/query.js';
import { type Token, tokensOf } from '../../../shared/query/tokens.js';

/** A column of the list of calls. */
export interface Column {
  /** As the address has it: `status`, `tokens`, or a path such as `inputs.q`. */
  readonly id: string;
  readonly label: string;
  /** Of CSS grid. */
  readonly width: string;
  readonly minPx: number;
  /** The least of it where the list is narrow; absent: as elsewhere. */
  readonly narrowPx?: number;
  readonly kind?: 'number';
  /** How wide the list must be at the least for it to be shown; absent: it always is. */
  readonly from?: 'medium' | 'wide';
  /** The field that it sorts by, as the interface names it; null: it cannot be sorted by. */
  readonly sortField: string | null;
  /** The field that it shows as it is, beside those that all rows have; null: it shows another thing. */
  readonly field: string | null;
  /** Fields that are read for what it shows instead. */
  readonly needs: readonly string[];
}

const builtIn = (id: string, label: string, minPx: number, more: Partial<Column>): Column => ({
  ...{ id, label, minPx, width: `${minPx}px`, sortField: null, field: null, needs: [] },
  ...more,
});

const ofSummary = (...names: readonly string[]): readonly string[] => names.map((name) => `summary.hone.${name}`);
const preview = (id: string, label: string, more: Partial<Column>): Column =>
  builtIn(id, label, 110, { width: 'minmax(110px, 2fr)', field: `summary.hone.${id}`, ...more });

/** Columns that have a form of their own. */
const OWN: readonly Column[] = [
  builtIn('status', 'Status', 20, { needs: ofSummary('trace') }),
  builtIn('name', 'Call', 108, { width: 'minmax(108px, 1.4fr)', narrowPx: 84, sortField: 'op_name' }),
  preview('input_preview', 'Input', {}),
  preview('output_preview', 'Output', { from: 'medium', needs: ofSummary('trace') }),
  builtIn('model', 'Model', 64, {
    ...{ width: 'minmax(64px, 0.8fr)', from: 'medium' },
    needs: ofSummary('model', 'trace'),
  }),
  builtIn('tokens', 'Tokens', 48, { kind: 'number', from: 'medium', needs: ofSummary('total_tokens', 'trace') }),
  builtIn('cost', 'Cost', 60, { kind: 'number', from: 'medium', needs: ofSummary('cost', 'trace') }),
  builtIn('feedback', 'Feedback', 58, { width: 'minmax(58px, 0.6fr)', from: 'medium' }),
  builtIn('end_user', 'User', 64, {
    ...{ width: 'minmax(64px, 0.6fr)', from: 'wide' },
    ...{ sortField: 'summary.hone.user', field: 'summary.hone.user' },
  }),
  builtIn('latency_ms', 'Latency', 56, { kind: 'number', from: 'medium', sortField: 'summary.hone.latency_ms' }),
  builtIn('started_at', 'Began', 72, { kind: 'number', sortField: 'started_at' }),
];
/** Further ones that few lists need. */
const RARE: readonly Column[] = [
  builtIn('spans', 'Spans', 54, { kind: 'number', needs: ofSummary('trace') }),
  builtIn('prompt', 'Prompt', 90, {
    ...{ width: 'minmax(90px, 1fr)' },
    ...{ sortField: 'summary.hone.prompt', field: 'summary.hone.prompt' },
  }),
  builtIn('user', 'Sent by', 80, { width: 'minmax(80px, 1fr)', sortField: 'svc_user_id', field: 'svc_user_id' }),
];
export const DEFAULT_COLUMNS: readonly string[] = OWN.map(({ id }) => id);
/** Columns that can be chosen without a path. */
export const KNOWN_COLUMNS: readonly string[] = [
  ...DEFAULT_COLUMNS,
  ...RARE.map(({ id }) => id),
  ...COLUMNS.filter((name) => name !== 'started_at' && name !== 'svc_user_id'),
];
const MAX_COLUMNS = 30;
/** Columns that need no more are all shown, however narrow the list is. */
const FEW_PX = 400;

/** Columns as the address has them, separated by commas. What is no column, or no more, is left out. */
export function toColumns(text: string): readonly Column[] {
  const columns = columnIds(text).flatMap((id) => toColumn(id) ?? []);
  if (columns.length === 0) return OWN;
  const isFew = columns.reduce((sum, { minPx }) => sum + minPx, 0) <= FEW_PX;
  return isFew ? columns.map(({ from: _from, ...column }) => column) : columns;
}

/** The ids of columns, whether there are such columns or not. Empty: those that everybody sees. */
export function columnIds(text: string): readonly string[] {
  const ids = tokensIn(text).flatMap(({ kind, path, isOpen }) => (kind === 'word' && !isOpen ? [printPath(path)] : []));
  return ids.length === 0 ? DEFAULT_COLUMNS : [...new Set(ids)].slice(0, MAX_COLUMNS);
}

export const printColumns = (ids: readonly string[]): string =>
  ids.join() === DEFAULT_COLUMNS.join() ? '' : ids.join(',');

/** The column of an id; undefined: there is none. */
export function toColumn(id: string): Column | undefined {
  const own = [...OWN, ...RARE].find((one) => one.id === id);
  if (own) return own;
  const path = pathOf(id);
  if (path === null || path.join() === 'model' || pathProblem(path) !== null) return undefined;
  const field = toFieldName(path);
  return builtIn(id, id, 120, { width: 'minmax(120px, 1.2fr)', sortField: isSortable(path) ? field : null, field });
}

const isSortable = ([column = '']: Path): boolean => !/_refs$/.test(column) || isTime([column]);

function pathOf(id: string): Path | null {
  const [token, ...others] = tokensIn(id);
  return token?.kind === 'word' && others.length === 0 && !token.isOpen ? token.path : null;
}

function tokensIn(text: string): readonly Token[] {
  try {
    return tokensOf(text);
  } catch {
    return [];
  }
}

/** What the list is sorted by. */
export interface Sort {
  /** Id of the column. */
  readonly id: string;
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export const NEWEST_FIRST: Sort = { id: 'started_at', field: 'started_at', direction: 'desc' };

/** `latency_ms`, `-latency_ms` for the largest first; anything else: the newest first. */
export function toSort(text: string): Sort {
  const isDescending = text.startsWith('-');
  const column = toColumn(isDescending ? text.slice(1) : text);
  if (!column || column.sortField === null) return NEWEST_FIRST;
  return { id: column.id, field: column.sortField, direction: isDescending ? 'desc' : 'asc' };
}

export const printSort = ({ id, direction }: Sort): string =>
  id === NEWEST_FIRST.id && direction === NEWEST_FIRST.direction ? '' : `${direction === 'desc' ? '-' : ''}${id}`;

/** A column is sorted by its largest first, then by its smallest, then no more. */
export function nextSort(sort: Sort, column: Column): Sort {
  if (column.sortField === null) return sort;
  if (sort.id !== column.id) return { id: column.id, field: column.sortField, direction: 'desc' };
  return sort.direction === 'desc' ? { ...sort, direction: 'asc' } : NEWEST_FIRST;
}
