import { formatAge, formatCost, formatCount, formatDuration, shortOpName } from './format.js';

describe('texts of figures', () => {
  it('keep small counts exact and shorten large ones', () => {
    expect([0, 999, 9_999, 12_345, 3_400_000].map(formatCount)).toEqual(['0', '999', '9,999', '12.3K', '3.4M']);
  });

  it('name a duration in the unit that one would say', () => {
    expect([null, 0, 57.4, 1_234, 200_000, 7_200_000].map(formatDuration)).toEqual([
      '…',
      '0 ms',
      '57 ms',
      '1.2 s',
      '3 min 20 s',
      '2 h',
    ]);
  });

  it('name an age, also where clocks differ', () => {
    const at = '2026-01-15T10:00:00Z';
    const ages = [-5_000, 0, 59_000, 60_000, 7_260_000, 200_000_000];
    expect(ages.map((age) => formatAge(at, Date.parse(at) + age))).toEqual([
      '0 s ago',
      '0 s ago',
      '59 s ago',
      '1 min ago',
      '2 h ago',
      '2 d ago',
    ]);
  });

  it('keep two digits of small amounts', () => {
    expect([0, 0.000_012_3, 0.5, 12.345].map(formatCost)).toEqual(['$0', '$0.000012', '$0.50', '$12.35']);
  });

  it.each([
    ['hone:///acme/demo/op/predict:v3', 'predict'],
    ['weave:///acme/my%20demo/op/Model.predict%20it:*', 'Model.predict it'],
    ['a plain name', 'a plain name'],
    ['hone:///a/b/op/%zz:v0', '%zz'],
  ])('show the name of %s', (name, short) => {
    expect(shortOpName(name)).toBe(short);
  });
});
