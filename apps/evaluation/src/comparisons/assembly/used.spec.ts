import { usedByTrial } from './used.js';

const AT = Date.UTC(2026, 0, 1);
const line = (trial: string, model: string, prompt: number, completion: number) => [
  ...[trial, model, AT, 1, prompt, completion, prompt + completion, null, null, null],
];

describe('usedByTrial', () => {
  it('sums tokens and cost over models and times', () => {
    const chunks = [[line('a', 'gpt-4o', 1_000, 100)], [line('b', 'gpt-4o', 10, 0), line('a', 'gpt-4o', 1_000, 100)]];
    const used = usedByTrial(
      chunks.map((chunk) => JSON.stringify(chunk)),
      [],
    );
    expect(used.get('a')?.tokens).toBe(2_200);
    // 2.5 and 10 US dollars for a million tokens.
    expect(used.get('a')?.costUsd).toBeCloseTo(2 * (1_000 * 2.5e-6 + 100 * 10e-6), 12);
    expect(used.get('b')?.tokens).toBe(10);
    expect(used.has('c')).toBe(false);
  });

  it('knows no cost where one of the models has no price', () => {
    const used = usedByTrial([JSON.stringify([line('a', 'own', 5, 5), line('a', 'gpt-4o', 5, 5)])], []);
    expect(used.get('a')).toEqual({ tokens: 20, costUsd: null });
  });

  it('takes the price of the project', () => {
    const price = {
      model: 'own',
      providerId: 'p',
      promptTokenCost: 1,
      completionTokenCost: 2,
      effectiveDate: new Date(0),
    };
    const others = { cacheReadInputTokenCost: null, cacheCreationInputTokenCost: null, reasoningTokenCost: null };
    const used = usedByTrial([JSON.stringify([line('a', 'own', 3, 4)])], [{ ...price, ...others }]);
    expect(used.get('a')?.costUsd).toBe(11);
  });
});
