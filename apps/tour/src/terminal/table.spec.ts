import { table } from './table.js';

describe('table', () => {
  it('makes each column as wide as its widest cell', () => {
    const rows = [
      ['method', 'calls', 'verdict'],
      ['kto', '299', 'better'],
    ];
    expect(table(rows, [1])).toBe('method  calls  verdict\nkto       299  better');
  });

  it('is nothing without rows', () => {
    expect(table([])).toBe('');
  });
});
