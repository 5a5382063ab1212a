import { COLUMNS, isTime, pathProblem, toFieldName } from '../query/fields.js';
import { printPath } from '../query/print.js';
import type { Path } from '../query/query.js';
import { type Token, tokensOf } from '../query/tokens.js';

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
  /** Left out where the list is narrow. */
  readonly isOptional?: boolean;
  /** The field that it sorts by, as the interface names it; null: it cannot be sorted by. */
  readonly sortField: string | null;
  /** The field that is read for it, beside those that all rows have; null: none. */
  readonly field: string | null;
}

const builtIn = (id: string, label: string, minPx: number, more: Partial<Column>): Column => ({
  ...{ id, label, minPx, width: `${minPx}px`, sortField: null, field: null },
  ...more,
});

/** Columns that have a form of their own. */
const OWN: readonly Column[] = [
  builtIn('status', 'Status', 28, {}),
  builtIn('name', 'Call', 150, { width: 'minmax(150px, 2fr)', narrowPx: 88, sortField: 'op_name' }),
  builtIn('model', 'Model', 100, { width: 'minmax(100px, 1.2fr)', isOptional: true }),
  builtIn('started_at', 'Began', 92, { kind: 'number', sortField: 'started_at' }),
  builtIn('latency_ms', 'Latency', 84, { kind: 'number', sortField: 'summary.hone.latency_ms' }),
  builtIn('tokens', 'Tokens', 76, { kind: 'number', isOptional: true }),
];
export const DEFAULT_COLUMNS: readonly string[] = OWN.map(({ id }) => id);
/** Columns that can be chosen without a path. */
export const KNOWN_COLUMNS: readonly string[] = [
  ...DEFAULT_COLUMNS,
  ...['user', ...COLUMNS.filter((name) => name !== 'started_at' && name !== 'svc_user_id')],
];
const MAX_COLUMNS = 30;

/** Columns as the address has them, separated by commas. What is no column, or no more, is left out. */
export function toColumns(text: string): readonly Column[] {
  const columns = columnIds(text).flatMap((id) => toColumn(id) ?? []);
  return columns.length > 0 ? columns : OWN;
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
  const own = OWN.find((one) => one.id === id);
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
