import { isJsonObject } from '@hone/client';

import { toObjectId } from '../../../shared/objects/object-id.js';
import { fromExpression, toInterfaceQuery } from '../../../shared/query/expression.js';
import { toFieldName, toPath } from '../../../shared/query/fields.js';
import { printPath, printQuery } from '../../../shared/query/print.js';
import { columnIds, printColumns, printSort, toColumn, toSort } from '../columns/columns.js';

/** Class of the objects that views are, here as in SDKs. */
export const VIEW_CLASS = 'SavedView';
const CLASS_KEYS = { _type: VIEW_CLASS, _class_name: VIEW_CLASS, _bases: ['BaseObject', 'BaseModel'] };
/** Views of other pages, which these are not. */
const VIEW_TYPE = 'traces';
/** What of the address a view keeps: all but the call that is open. */
const KEPT = ['op', 'status', 'range', 'depth', 'q', 'sort', 'columns', 'facets', 'by'];
const MAX_CHARACTERS = 16_384;

/** Id of the object of a view. */
export const toViewId = (label: string): string => toObjectId('view', label);

/** What of an address's query a view keeps. */
export function keptSearch(search: string): string {
  const before = new URLSearchParams(search.slice(0, MAX_CHARACTERS));
  return new URLSearchParams(
    KEPT.flatMap((name) => (before.get(name) ? [[name, before.get(name) ?? '']] : [])),
  ).toString();
}

/**
 * The value of a view. `definition` is what SDKs read of it; `search` is the address's query, which also has what they
 * have no field for.
 */
export function toViewValue(label: string, search: string): Record<string, unknown> {
  const kept = keptSearch(search);
  const text = (name: string) => new URLSearchParams(kept).get(name) ?? '';
  const { field, direction } = toSort(text('sort'));
  return {
    ...CLASS_KEYS,
    ...{ name: label.trim(), description: null, view_type: VIEW_TYPE, label: label.trim() },
    definition: {
      filter: text('depth') === 'all' ? null : { trace_roots_only: true },
      query: toCondition(text('q')),
      sort_by: [{ field, direction }],
      columns: columnIds(text('columns')).map((id) => ({ path: pathOf(id), label: toColumn(id)?.label ?? id })),
    },
    search: kept,
  };
}

/** A query that cannot be read is kept in `search` alone. */
function toCondition(text: string): object | null {
  try {
    return toInterfaceQuery(text);
  } catch {
    return null;
  }
}

const pathOf = (id: string): readonly string[] => {
  const column = toColumn(id);
  return toPath(column?.field ?? column?.sortField ?? column?.needs[0] ?? id);
};

/** The address's query of a view, by its own or by what an SDK has written; null: it is a view of something else. */
export function searchOfView(val: unknown): string | null {
  if (!isJsonObject(val) || val['view_type'] !== VIEW_TYPE) return null;
  if (typeof val['search'] === 'string') return keptSearch(val['search']);
  const definition = isJsonObject(val['definition']) ? val['definition'] : {};
  const [sort] = listOf(definition['sort_by']);
  const query = isJsonObject(definition['query']) ? fromExpression(definition['query']['$expr']) : null;
  const isRootsOnly = isJsonObject(definition['filter']) && definition['filter']['trace_roots_only'] === true;
  const ids = listOf(definition['columns']).flatMap((column) => idOf(column) ?? []);
  const values = {
    q: query ? printQuery(query) : '',
    depth: isRootsOnly ? '' : 'all',
    sort: sort ? sortOf(sort) : '',
    columns: ids.length > 0 ? printColumns(ids) : '',
  };
  return keptSearch(new URLSearchParams(values).toString());
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function idOf(column: unknown): string | null {
  const path = isJsonObject(column) ? listOf(column['path']).map(String) : [];
  return path.length === 0 ? null : printPath(toPath(toFieldName(path)));
}

function sortOf(criterion: unknown): string {
  const { field, direction } = isJsonObject(criterion) ? criterion : {};
  if (typeof field !== 'string') return '';
  return printSort(toSort(`${direction === 'desc' ? '-' : ''}${printPath(toPath(field))}`));
}
