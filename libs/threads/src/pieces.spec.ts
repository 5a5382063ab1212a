import { fromPieces, toPieces } from './pieces.js';

describe('pieces of a list', () => {
  it.each([0, 1, 256, 257, 1_000])('bring back a list of %i items', async (count) => {
    const items = Array.from({ length: count }, (_, n) => ({ n, at: new Date(n), text: 'é', none: null }));
    expect(await fromPieces(toPieces(items))).toEqual(items);
  });
});
