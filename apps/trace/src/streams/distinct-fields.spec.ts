import { distinctFields } from './distinct-fields.js';

describe('distinctFields', () => {
  it('keeps each field where it comes first', () => {
    const sort = [
      { field: 'b', direction: 'asc' },
      { field: 'a', direction: 'desc' },
      { field: 'b', direction: 'desc' },
    ];
    expect(distinctFields(sort)).toEqual(sort.slice(0, 2));
  });
});
