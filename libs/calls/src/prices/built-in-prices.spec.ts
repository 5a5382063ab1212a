import { builtInPrice } from './built-in-prices.js';
import { isHosted } from './hosts.js';
import { PRICE_LIST, PRICE_LIST_DATE } from './price-list.js';

const NOW = new Date('2026-11-28');
const perMillion = (model: string, at = NOW) => {
  const price = builtInPrice(model, at);
  return price && Math.round(price.promptTokenCost * 1e9) / 1e3;
};

describe('providers of hosted models', () => {
  it.each(['https://api.openai.com/v1', 'https://my.openai.azure.com/x', 'https://openrouter.ai/api/v1'])(
    'answer at %s',
    (url) => expect(isHosted(url)).toBe(true),
  );

  it.each([
    'http://localhost:8000/v1',
    'http://10.0.0.5/v1',
    'https://notopenai.com/v1',
    'https://openai.com.evil.example',
    'x',
  ])('do not answer at %s', (url) => expect(isHosted(url)).toBe(false));
});

describe('built-in prices', () => {
  it.each(['gpt-4o', 'openai/gpt-4o', 'gpt-4o-2024-08-06', 'GPT-4o', 'openrouter/openai/gpt-4o'])(
    'know %s by its name',
    (model) => expect(perMillion(model)).toBe(2.5),
  );

  it.each(['hone-tiny', 'gpt-4o-of-mine', '', 'constructor', 'gpt-4o:free'])('do not know %j', (model) =>
    expect(builtInPrice(model, NOW)).toBeUndefined(),
  );

  it('change on their day', () => {
    expect(perMillion('o3', new Date('2025-06-09T23:59:59Z'))).toBe(10);
    expect(perMillion('o3', new Date('2025-06-10T00:00:00Z'))).toBe(2);
  });

  it('have prices of caches where the provider has', () => {
    const price = builtInPrice('claude-sonnet-4-5-20250929', NOW);
    expect(price?.cacheReadInputTokenCost).toBeCloseTo(0.3e-6);
    expect(price?.cacheCreationInputTokenCost).toBeCloseTo(3.75e-6);
    expect(builtInPrice('claude-2', NOW)?.cacheReadInputTokenCost).toBeNull();
  });

  it('are lines of a model, a day and four prices, listed on a day', () => {
    const lines = Object.values(PRICE_LIST).flatMap((text) => text.trim().split('\n'));
    const form = /^\S+ (-|\d{4}-\d{2}-\d{2}) [\d.]+ (-|[\d.]+) (-|[\d.]+) [\d.]+$/;
    expect(lines.filter((line) => !form.test(line.trim()))).toEqual([]);
    expect(lines.length).toBeGreaterThan(200);
    expect(PRICE_LIST_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});
