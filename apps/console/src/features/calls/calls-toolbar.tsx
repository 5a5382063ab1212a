import { Bookmark, Columns3, ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useSearchState } from '../../shared/data/search-state.js';
import { useTypedSearch } from '../../shared/data/typed-search.js';
import { SpanSelect } from '../../shared/time-span/span-select.js';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import styles from './calls.module.css';
import { spanName, STATUSES } from './calls-filter.js';
import { columnIds, printColumns } from './columns/columns.js';
import { ColumnsDialog } from './columns/columns-dialog.js';
import { useFacetsOpen } from './facets/use-facets-open.js';
import { ViewsDialog } from './views/views-dialog.js';

/** Filters of the list; all of them are in the address. */
export function CallsToolbar({ children }: { readonly children: ReactNode }) {
  const op = useTypedSearch('op');
  const [status, setStatus] = useSearchState('status');
  const [range, setRange] = useSearchState('range');
  const [depth, setDepth] = useSearchState('depth');
  const [columns, setColumns] = useSearchState('columns');
  const [areFacetsOpen, toggleFacets] = useFacetsOpen();
  const [dialog, setDialog] = useState<'columns' | 'views' | null>(null);
  const close = () => setDialog(null);
  return (
    <div className={styles['bar']}>
      <h1>Calls</h1>
      <Input
        type="search"
        aria-label="Part of the name of the op"
        placeholder="Name of the op"
        value={op.typed}
        onChange={({ target }) => op.setTyped(target.value)}
      />
      <Select aria-label="Status" value={status} onChange={({ target }) => setStatus(target.value)}>
        <option value="">Any status</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {one === 'descendant_error' ? 'error below' : one}
          </option>
        ))}
      </Select>
      <SpanSelect value={spanName(range)} onChange={setRange} any="Any time" />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={depth === 'all'}
          onChange={({ target }) => setDepth(target.checked ? 'all' : '')}
        />
        All spans
      </label>
      <Button aria-pressed={areFacetsOpen} onClick={toggleFacets}>
        <ListFilter size={15} aria-hidden /> <span>Facets</span>
      </Button>
      <Button onClick={() => setDialog('columns')}>
        <Columns3 size={15} aria-hidden /> <span>Columns</span>
      </Button>
      <Button onClick={() => setDialog('views')}>
        <Bookmark size={15} aria-hidden /> <span>Views</span>
      </Button>
      {children}
      {dialog === 'columns' && (
        <ColumnsDialog ids={columnIds(columns)} apply={(ids) => setColumns(printColumns(ids))} close={close} />
      )}
      {dialog === 'views' && <ViewsDialog close={close} />}
    </div>
  );
}
