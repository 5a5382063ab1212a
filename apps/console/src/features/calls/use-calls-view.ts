import { useMemo } from 'react';

import { useSearchValues } from '../../shared/data/search-state.js';
import { parseQuery, queryErrorOf } from '../../shared/query/parse.js';
import type { Query } from '../../shared/query/query.js';
import type { CallsFilter, CallsView } from './calls-filter.js';
import { type Column, toColumns, toSort } from './columns/columns.js';

/** What the address says of the list. */
export interface AddressedView {
  readonly filter: CallsFilter;
  readonly columns: readonly Column[];
  /** Of the query line; null: it says nothing, or cannot be read. */
  readonly query: Query | null;
  /** null: the query line cannot be read. */
  readonly view: CallsView | null;
}

export function useCallsView(): AddressedView {
  const [value] = useSearchValues();
  const [op, status, range, depth] = [value('op'), value('status'), value('range'), value('depth')];
  const [text, sort, columnsText] = [value('q'), value('sort'), value('columns')];
  return useMemo(() => {
    const filter = { op, status, range, depth };
    const columns = toColumns(columnsText);
    const fields = [...new Set(columns.flatMap(({ field, needs }) => (field === null ? needs : [field, ...needs])))];
    const isReadable = queryErrorOf(text) === null;
    const query = isReadable ? parseQuery(text) : null;
    return { filter, columns, query, view: isReadable ? { filter, query, fields, sort: toSort(sort) } : null };
  }, [op, status, range, depth, text, sort, columnsText]);
}
