import { CallsPageQueryDto, check } from '@hone/contracts';

import { parseQuery } from '../../shared/query/parse.js';
import { type CallsView, toCallsQuery } from './calls-filter.js';
import { NEWEST_FIRST, toSort } from './columns/columns.js';

const ALL = { op: '', status: '', range: '', depth: '' };
const NOW = Date.parse('2026-01-15T10:00:00Z');
const aView = (view: Partial<CallsView> = {}): CallsView => ({
  ...{ filter: ALL, query: null, fields: [], sort: NEWEST_FIRST },
  ...view,
});

describe('the query of the list of calls', () => {
  it('is one of the interface, whatever is filtered', () => {
    const filters = [ALL, { op: '"%_', status: 'error', range: '60', depth: 'all' }, { ...ALL, range: 'nonsense' }];
    const views = filters.map((filter) =>
      aView({ filter, query: parseQuery('inputs."a.b" = 1'), fields: ['inputs.q'] }),
    );
    for (const view of [...views, aView({ sort: toSort('-latency_ms') })])
      expect(check(CallsPageQueryDto, { ...toCallsQuery('a/b', view, NOW), cursor: '', limit: 1 }).issues).toEqual([]);
  });

  it('has the time as a time, not as minutes', () => {
    const { query } = toCallsQuery('a/b', aView({ filter: { ...ALL, range: '60' } }), NOW);
    expect(JSON.stringify(query)).toContain('2026-01-15T09:00:00.000Z');
  });

  it('has the conditions of the query line beside those of the filters', () => {
    const view = aView({ filter: { ...ALL, status: 'error' }, query: parseQuery('id = 1 and inputs.q = 2') });
    const { $and } = toCallsQuery('a/b', view, NOW).query?.$expr as unknown as { $and: object[] };
    expect($and).toHaveLength(3);
  });

  it('has the newest first among equals', () => {
    expect(toCallsQuery('a/b', aView({ sort: toSort('-latency_ms') }), NOW).sort_by).toEqual([
      { field: 'summary.hone.latency_ms', direction: 'desc' },
      { field: 'started_at', direction: 'desc' },
    ]);
    expect(toCallsQuery('a/b', aView(), NOW).sort_by).toEqual([{ field: 'started_at', direction: 'desc' }]);
  });
});
