import { priceOf } from './route-price.js';

const NOW = new Date('2026-11-28');

describe('the price of a route', () => {
  it('is its own, also where its model is listed', () => {
    const price = { prompt: 1, cached: 0.5, cacheWrite: 1.25, completion: 2, reasoning: 2 };
    expect(priceOf({ price, listedModel: 'gpt-4o' }, NOW)).toBe(price);
  });

  it('is that of the built-in list where it has none', () => {
    expect(priceOf({ price: null, listedModel: 'gpt-4o-2024-08-06' }, NOW)).toEqual({
      ...{ prompt: expect.closeTo(2.5), cached: expect.closeTo(1.25), cacheWrite: expect.closeTo(2.5) },
      ...{ completion: expect.closeTo(10), reasoning: expect.closeTo(10) },
    });
  });

  it('has that list’s price of tokens written into a cache', () => {
    const price = priceOf({ price: null, listedModel: 'claude-opus-4-5' }, NOW);
    expect(price).toMatchObject({ prompt: expect.closeTo(5), cacheWrite: expect.closeTo(6.25) });
  });

  it.each([null, 'hone-tiny'])('is none of a model that is not listed: %s', (listedModel) => {
    expect(priceOf({ price: null, listedModel }, NOW)).toBeNull();
  });
});
