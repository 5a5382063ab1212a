import { searchOfView, toViewId, toViewValue } from './saved-view.js';

const SEARCH = '?q=status+%3D+error&sort=-latency_ms&columns=name%2Cinputs.q&range=60&call=c1&evil=1';
const KEPT = 'range=60&q=status+%3D+error&sort=-latency_ms&columns=name%2Cinputs.q';

describe('a saved view', () => {
  it('is an object that SDKs know, with all of the address but the open call', () => {
    expect(toViewValue(' Slow ones ', SEARCH)).toEqual({
      ...{ _type: 'SavedView', _class_name: 'SavedView', _bases: ['BaseObject', 'BaseModel'] },
      ...{ name: 'Slow ones', description: null, view_type: 'traces', label: 'Slow ones', search: KEPT },
      definition: {
        filter: { trace_roots_only: true },
        query: { $expr: { $eq: [{ $getField: 'summary.hone.status' }, { $literal: 'error' }] } },
        sort_by: [{ field: 'summary.hone.latency_ms', direction: 'desc' }],
        columns: [
          { path: ['op_name'], label: 'Call' },
          { path: ['inputs', 'q'], label: 'inputs.q' },
        ],
      },
    });
  });

  it('opens as it was saved', () => {
    expect(searchOfView(toViewValue('x', SEARCH))).toBe(KEPT);
    expect(searchOfView(toViewValue('x', '?q=oh%22no&columns=gone'))).toBe('q=oh%22no&columns=gone');
    expect(searchOfView(toViewValue('x', '?by=attributes.plan&range=yesterday'))).toBe(
      'range=yesterday&by=attributes.plan',
    );
  });

  it('of an SDK opens as far as it goes', () => {
    const definition = {
      filter: { op_names: ['f'] },
      query: { $expr: { $gt: [{ $getField: 'summary.usage.n' }, { $literal: 5 }] } },
      sort_by: [{ field: 'inputs.q', direction: 'asc' }],
      columns: [{ path: ['op_name'] }, { path: ['inputs', 'a.b', 0] }, { label: 'computed' }],
    };
    const search = searchOfView({ view_type: 'traces', label: 'x', definition });
    expect(Object.fromEntries(new URLSearchParams(search ?? ''))).toEqual({
      ...{ q: 'summary.usage.n > 5', depth: 'all', sort: 'inputs.q', columns: 'op_name,inputs."a.b".0' },
    });
  });

  it.each([null, 'x', {}, { view_type: 'evaluations' }, []])('is none of %j', (val) => {
    expect(searchOfView(val)).toBeNull();
  });

  it.each([
    { view_type: 'traces' },
    { view_type: 'traces', definition: 'x' },
    { view_type: 'traces', definition: { sort_by: [null], columns: [null, 'x', {}], query: { $expr: { $x: 1 } } } },
  ])('opens though nothing of %j says anything', (val) => {
    expect(searchOfView(val)).toBe('depth=all');
  });

  it('is an object by its label', () => {
    expect(toViewId('  My Größe: 100 %/<b> ')).toBe('view-my_größe_100_b_');
    expect(toViewId('x'.repeat(300))).toHaveLength(128);
  });
});
