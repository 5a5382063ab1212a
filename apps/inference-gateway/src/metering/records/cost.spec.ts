import { costOf, isBilled, toCostHeader, toModelPrice, toUsdText, unitPriceOf } from './cost.js';
import { NO_TOKENS } from './usage-record.js';

const tokens = (promptTokens: number, cachedTokens: number, completionTokens: number) => ({
  ...NO_TOKENS,
  promptTokens,
  cachedTokens,
  completionTokens,
});

describe('the cost of a request', () => {
  const price = toModelPrice({ prompt: 0.15, cached: 0.07, completion: 0.6 });

  it('is tokens times price', () => {
    expect(costOf(tokens(1_000, 0, 100), price)).toBe(210_000);
  });

  it('has a separate price for cached tokens', () => {
    expect(costOf(tokens(1_000, 400, 0), price)).toBe(600 * 150 + 400 * 70);
  });

  it('has a separate price for tokens written into a cache, and for those of reasoning', () => {
    const whole = toModelPrice({ prompt: 1, cached: 0.1, cacheWrite: 1.25, completion: 4, reasoning: 6 });
    const counts = { promptTokens: 1_000, cachedTokens: 300, cacheWriteTokens: 200 };
    expect(costOf({ ...NO_TOKENS, ...counts }, whole)).toBe(500 * 1_000 + 300 * 100 + 200 * 1_250);
    expect(costOf({ ...NO_TOKENS, ...counts }, price)).toBe(700 * 150 + 300 * 70);
    expect(costOf({ ...NO_TOKENS, completionTokens: 100, reasoningTokens: 60 }, whole)).toBe(40 * 4_000 + 60 * 6_000);
    expect(costOf({ ...NO_TOKENS, completionTokens: 100, reasoningTokens: 600 }, whole)).toBe(100 * 6_000);
    expect(costOf({ ...NO_TOKENS, promptTokens: 10, cacheWriteTokens: 600 }, whole)).toBe(10 * 1_250);
  });

  it.each([
    ['images/generations', 3, 120_000_000],
    ['images/edits', 100_000, 4_000_000_000_000],
    ['audio/speech', 1_000, 15_000_000],
    ['audio/transcriptions', 90_000, 9_000_000],
    ['audio/translations', 1, 100],
    ['chat/completions', 5, 0],
  ] as const)('of %s has what is counted beside tokens: %d', (endpoint, units, nanoUsd) => {
    const unit = unitPriceOf({ image: 0.04, characters: 15, minute: 0.006 }, endpoint);
    expect(costOf({ ...NO_TOKENS, promptTokens: 10, units }, { ...price, unit })).toBe(1_500 + nanoUsd);
  });

  it('counts at most the prompt’s tokens as cached', () => {
    expect(costOf(tokens(10, 1_000, 0), price)).toBe(700);
  });

  it('is right to the nano-USD where a double would not be', () => {
    const steep = toModelPrice({ prompt: 123.456789, completion: 0 });
    expect(costOf(tokens(1_000_000_007, 0, 0), steep)).toBe(123_456_789_864_198);
  });

  it('is rounded to the nearest', () => {
    const cheap = toModelPrice({ prompt: 0.000_5, completion: 0 });
    expect([costOf(tokens(1, 0, 0), cheap), costOf(tokens(3, 0, 0), cheap)]).toEqual([1, 2]);
  });

  it.each([
    [0, '0.000000000', '0.000000000000'],
    [27_000, '0.000027000', '0.000027000000'],
    [12_345_678_901, '12.345678901', '12.345678901000'],
    [-5, '-0.000000005', '-0.000000005000'],
  ])('%d nano-USD reads %s', (nano, text, header) => {
    expect([toUsdText(nano), toCostHeader(nano)]).toEqual([text, header]);
  });
});

describe('what is billed', () => {
  it.each([
    ['ok', 0, true],
    ['aborted', 12, true],
    ['aborted', 0, false],
    ['error', 12, false],
  ] as const)('%s after %d tokens: %s', (status, completion, billed) => {
    expect(isBilled(status, tokens(0, 0, completion))).toBe(billed);
  });
});
