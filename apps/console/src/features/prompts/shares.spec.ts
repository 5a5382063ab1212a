import { sharesOf, toSplit } from './shares.js';

describe('a label that is split', () => {
  it('has parts in percent, the largest first', () => {
    expect(sharesOf({ a: 1, b: 7 })).toEqual([
      { digest: 'b', percent: '87.5 %' },
      { digest: 'a', percent: '12.5 %' },
    ]);
    expect(sharesOf({ a: 0 })).toEqual([{ digest: 'a', percent: '0 %' }]);
  });

  it('keeps the version that it names while that has a part', () => {
    expect(toSplit('a', { a: '10', b: '90' })).toEqual({ digest: 'a', weights: { a: 10, b: 90 } });
    expect(toSplit('a', { a: '0', b: '30', c: '70' })).toEqual({ digest: 'c', weights: { b: 30, c: 70 } });
  });

  it('is no split where one version gets all', () => {
    expect(toSplit('a', { a: '', b: '5' })).toEqual({ digest: 'b', weights: null });
  });

  it.each([
    [{ a: '0' }],
    [{ a: '-1', b: '2' }],
    [{ a: 'x', b: '1' }],
    [{ a: '1000001', b: '1' }],
    [{ a: 'Infinity', b: '1' }],
  ])('is not to be had from %j', (texts) => {
    expect(toSplit('a', texts)).toBeNull();
  });
});
