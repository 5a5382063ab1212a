import { UsageEstimate } from './usage-estimate.js';

const text = (textBytes: number) => ({ textBytes, mediaTokens: 0 });
const reported = (promptTokens: number) => ({
  promptTokens,
  completionTokens: 1,
  cachedTokens: 0,
  reasoningTokens: 0,
  source: 'upstream' as const,
});

describe('UsageEstimate', () => {
  const learned = (bytes: number, tokens: number, mediaTokens = 0) => {
    const estimate = new UsageEstimate();
    for (let count = 0; count < 200; count++) estimate.learn({ textBytes: bytes, mediaTokens }, reported(tokens));
    return estimate.of(text(10_000), 0).promptTokens;
  };

  it('starts with four bytes per token, and follows what the upstream reports', () => {
    expect(new UsageEstimate().of(text(10_000), 3)).toMatchObject({ promptTokens: 2_500, completionTokens: 3 });
    expect(learned(1_000, 500)).toBeCloseTo(5_000, -1);
    expect(learned(1_000, 100)).toBeCloseTo(1_000, -1);
  });

  it.each([
    ['a count beyond all sense', 1_000, 3_000_000_000],
    ['a prompt that the upstream adds to', 50, 800],
    ['a count of nothing', 1_000, 0],
    ['a count of too little', 100_000, 9],
    ['an empty prompt', 0, 9],
  ])('ignores %s', (_, bytes, tokens) => {
    expect(learned(bytes, tokens)).toBe(2_500);
  });

  it('does not learn from images, and adds them by rule', () => {
    expect(learned(1_000, 900, 765)).toBe(2_500);
    expect(new UsageEstimate().of({ textBytes: 400, mediaTokens: 765 }, 0).promptTokens).toBe(865);
  });
});
