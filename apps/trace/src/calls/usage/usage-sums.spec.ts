import { isSumOfDescendants, type OwnUsage, sumUp } from './usage-sums.js';

const used = (id: string, parentId: string | null, tokens: number, more: Partial<OwnUsage> = {}): OwnUsage => ({
  ...{ id, parentId, isSum: false },
  usage: new Map([['m', { requests: 1, prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens }]]),
  ...more,
});
const tokensOf = (calls: OwnUsage[]) =>
  Object.fromEntries([...sumUp(calls)].map(([id, sums]) => [id, sums.get('m')?.['total_tokens'] ?? 0]));

describe('sumUp', () => {
  it('adds what descendants used, in any order', () => {
    const calls = [used('c', 'b', 4), used('a', null, 1), used('d', 'a', 8), used('b', 'a', 2)];
    expect(tokensOf(calls)).toEqual({ a: 15, b: 6, c: 4, d: 8 });
    expect(tokensOf([...calls].reverse())).toEqual({ a: 15, b: 6, c: 4, d: 8 });
  });

  it('takes a call that sums its descendants as it is', () => {
    expect(tokensOf([used('a', null, 6, { isSum: true }), used('b', 'a', 2), used('c', 'a', 4)])).toEqual({
      ...{ a: 6, b: 2, c: 4 },
    });
  });

  it('ends for circles of parents, and for traces that are very deep', () => {
    expect(Object.keys(tokensOf([used('a', 'b', 1), used('b', 'a', 2), used('s', 's', 3)])).sort()).toEqual([
      'a',
      'b',
      's',
    ]);
    const deep = Array.from({ length: 50_000 }, (_, n) => used(`c${n}`, n === 0 ? null : `c${n - 1}`, 1));
    expect(tokensOf(deep)['c0']).toBe(50_000);
  });
});

describe('isSumOfDescendants', () => {
  it.each([
    [null, false],
    ['{}', false],
    ['{"status_counts":{"success":1,"error":0}}', false],
    ['{"status_counts":{"success":1,"error":1}}', true],
    ['{"status_counts":{"success":3}}', true],
    ['{"status_counts":5,"x":"\\"status_counts\\""}', false],
    ['{"status_counts":{"success":"9"}}', false],
  ])('%s: %s', (summary, expected) => {
    expect(isSumOfDescendants(summary)).toBe(expected);
  });
});
