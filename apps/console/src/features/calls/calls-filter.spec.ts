import { CallsPageQueryDto, check } from '@hone/contracts';

import { toCallsQuery } from './calls-filter.js';

const ALL = { op: '', status: '', range: '', depth: '' };
const NOW = Date.parse('2026-01-15T10:00:00Z');

describe('the query of the list of calls', () => {
  it('is one of the interface, whatever is filtered', () => {
    const filters = [ALL, { op: '"%_', status: 'error', range: '60', depth: 'all' }, { ...ALL, range: 'nonsense' }];
    for (const filter of filters)
      expect(check(CallsPageQueryDto, { ...toCallsQuery('a/b', filter, NOW), cursor: '', limit: 1 }).issues).toEqual(
        [],
      );
  });

  it('has the time as a time, not as minutes', () => {
    const { query } = toCallsQuery('a/b', { ...ALL, range: '60' }, NOW);
    expect(JSON.stringify(query)).toContain('2026-01-15T09:00:00.000Z');
  });
});
