import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { useProject } from '../../shared/data/project.js';
import { useSearchState, useSearchValues } from '../../shared/data/search-state.js';
import { printQuery } from '../../shared/query/print.js';
import type { Query } from '../../shared/query/query.js';
import { QueryLine } from '../../shared/query/query-line.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { BulkBar } from './bulk/bulk-bar.js';
import { useSelection } from './bulk/selection.js';
import { CallDetail } from './call-detail.js';
import styles from './calls.module.css';
import { type CallsFilter, toCondition } from './calls-filter.js';
import { CallsToolbar } from './calls-toolbar.js';
import { printSort } from './columns/columns.js';
import { printFacetPaths, toFacetPaths } from './facets/chosen-facets.js';
import { FacetsPanel } from './facets/facets-panel.js';
import { FACETS_KEY } from './facets/use-facets.js';
import { useFacetsOpen } from './facets/use-facets-open.js';
import { CallsOverTime } from './histogram/calls-over-time.js';
import { HISTOGRAM_KEY } from './histogram/use-histogram.js';
import { CallList } from './list/call-list.js';
import { useCalls } from './list/use-calls.js';
import { NoCalls } from './no-calls.js';
import { useCallsView } from './use-calls-view.js';

/** The calls of a project: a list that is filtered, walked by keys, and looked into beside itself. */
export default function CallsPage() {
  const project = useProject();
  const [value, set] = useSearchValues();
  const [selected, select] = useSearchState('call');
  const { filter, columns, query, view } = useCallsView();
  const { pages, rows, isBehind } = useCalls(project.id, view);
  const queries = useQueryClient();
  const selection = useSelection();
  const [areFacetsOpen] = useFacetsOpen();
  const { fetchNextPage } = pages;
  // Not while anything else is read. The page is not made again because something is.
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const hasFailed = pages.error !== null && rows.length === 0;
  const refresh = () => {
    void pages.refetch();
    for (const key of [FACETS_KEY, HISTOGRAM_KEY]) void queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <div className={styles['page']}>
      <CallsToolbar>{isBehind && <Button onClick={refresh}>Show newer calls</Button>}</CallsToolbar>
      <div className={styles['query']}>
        <QueryLine text={value('q')} apply={(text) => set('q', text)} />
      </div>
      {rows.length > 0 && <CallsOverTime view={view} setRange={(range) => set('range', range)} />}
      {selection.ids.size > 0 && <BulkBar selection={selection} loaded={rows.map(({ id }) => id)} />}
      <div className={styles['main']} data-facets={areFacetsOpen && !hasFailed} data-peek={selected !== ''}>
        {/* What fails for the list fails for its counts: one error says it. */}
        {areFacetsOpen && !hasFailed && <Facets filter={filter} query={query} />}
        {view === null ? (
          <EmptyNote title="This query cannot be read">
            <p>The query line says where and why.</p>
          </EmptyNote>
        ) : hasFailed ? (
          <ErrorNote error={pages.error} retry={() => void pages.refetch()} />
        ) : pages.isPending ? (
          <Loading what="calls" />
        ) : rows.length === 0 ? (
          <NoCalls view={view} showAll={() => set('depth', 'all')} />
        ) : (
          <CallList
            {...{ rows, columns, selection, selected, select, more }}
            sort={view.sort}
            setSort={(sort) => set('sort', printSort(sort))}
            hasMore={pages.hasNextPage}
            isBusy={pages.isPlaceholderData}
          />
        )}
        {selected !== '' && (
          <aside className={styles['peek']} aria-label="Selected call">
            <CallDetail id={selected} close={() => select('')} />
          </aside>
        )}
      </div>
    </div>
  );
}

function Facets({ filter, query }: { readonly filter: CallsFilter; readonly query: Query | null }) {
  const project = useProject();
  const [value, set] = useSearchValues();
  return (
    <FacetsPanel
      query={query}
      chosen={toFacetPaths(value('by'))}
      setChosen={(paths) => set('by', printFacetPaths(paths))}
      change={(changed) => set('q', changed === null ? '' : printQuery(changed))}
      toBody={(asked) => toCondition(project.id, filter, asked, Date.now())}
      filterKey={[project.id, ...Object.values(filter)]}
    />
  );
}
