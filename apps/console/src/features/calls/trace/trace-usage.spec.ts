import { formatModels, formatUsed, sumOf } from './trace-usage.js';

describe('what calls used', () => {
  const small = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, total_cost: 0.25 };

  it('is summed over models and calls, costs where there is a price', () => {
    const used = sumOf([{ a: small, b: { prompt_tokens: 1_000, completion_tokens: 1 } }, undefined, {}, { a: small }]);
    expect(used).toEqual({ tokens: 1_031, costUsd: 0.5, models: ['a', 'b'] });
    expect(used && formatUsed(used)).toBe('1,031 tokens · $0.50');
    expect(used && formatModels(used)).toBe('2 models');
  });

  it('has no cost without a price, and names its one model', () => {
    const used = sumOf([{ __proto__x: { total_tokens: 0 } }]);
    expect(used).toEqual({ tokens: 0, costUsd: null, models: ['__proto__x'] });
    expect(used && formatUsed(used)).toBe('0 tokens');
    expect(used && formatModels(used)).toBe('__proto__x');
  });

  it.each([[[]], [[undefined]], [[{}]]])('is nothing where no model was used: %j', (calls) => {
    expect(sumOf(calls)).toBeNull();
  });
});
