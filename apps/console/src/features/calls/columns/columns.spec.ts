import {
  columnIds,
  DEFAULT_COLUMNS,
  nextSort,
  printColumns,
  printSort,
  toColumn,
  toColumns,
  toSort,
} from './columns.js';

const idsOf = (text: string) => toColumns(text).map(({ id }) => id);

describe('the columns of the list', () => {
  it('are those of everybody unless some are chosen', () => {
    expect(idsOf('')).toEqual(DEFAULT_COLUMNS);
    expect(printColumns(DEFAULT_COLUMNS)).toBe('');
  });

  it.each([
    ['name,inputs.q,output."a,b".0', ['name', 'inputs.q', 'output."a,b".0']],
    ['name, name ,tokens', ['name', 'tokens']],
    ['gone,name,op_name.x,inputs."', ['name']],
    ['"', DEFAULT_COLUMNS],
    ['gone', DEFAULT_COLUMNS],
    ['x'.repeat(10_000), DEFAULT_COLUMNS],
  ])('of %.40j', (text, ids) => {
    expect(idsOf(text)).toEqual(ids);
  });

  it('stay in the address though one is gone', () => {
    expect(printColumns(columnIds('gone,name'))).toBe('gone,name');
  });

  it('are read by the names of the interface', () => {
    expect(toColumn('inputs."a.b"')).toMatchObject({ field: 'inputs.a\\.b', sortField: 'inputs.a\\.b' });
    expect(toColumn('user')).toMatchObject({ field: 'svc_user_id' });
    expect(toColumn('input_refs')).toMatchObject({ field: 'input_refs', sortField: null });
    expect(toColumn('latency_ms')).toMatchObject({ field: null, sortField: 'summary.hone.latency_ms' });
  });
});

describe('the order of the list', () => {
  it.each([
    ['', '', 'started_at', 'desc'],
    ['-latency_ms', '-latency_ms', 'summary.hone.latency_ms', 'desc'],
    ['inputs.q', 'inputs.q', 'inputs.q', 'asc'],
    ['tokens', '', 'started_at', 'desc'],
    ['gone', '', 'started_at', 'desc'],
  ])('%j', (text, printed, field, direction) => {
    expect(toSort(text)).toMatchObject({ field, direction });
    expect(printSort(toSort(text))).toBe(printed);
  });

  it('turns with each click, and ends where it began', () => {
    const latency = toColumn('latency_ms') as never;
    const sorts = ['', '-latency_ms', 'latency_ms'].map((text) => printSort(nextSort(toSort(text), latency)));
    expect(sorts).toEqual(['-latency_ms', 'latency_ms', '']);
  });
});
