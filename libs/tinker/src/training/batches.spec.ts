import { backwardData, forwardData, ofTrained, planBatches } from './batches.js';

const ROW = [
  { ids: [5, 6, 7, 8], trained: [2, 3], weight: [] },
  { ids: [5, 9], trained: [1], weight: [] },
  { ids: [1, 2, 3], trained: [1], weight: [] },
];
const COEFFICIENTS = [[0.5, -0.25], [2], [1]];

describe('the batches of a row', () => {
  it('have powers of two, so that servers compile few shapes', () => {
    expect(planBatches(3, 4)).toEqual([{ first: 0, count: 3, size: 4 }]);
    expect(planBatches(5, 4)).toEqual([
      { first: 0, count: 4, size: 4 },
      { first: 4, count: 1, size: 1 },
    ]);
    expect(planBatches(0, 4)).toEqual([]);
  });

  it('shift targets by one, and pad with sequences that count nothing', () => {
    const data = forwardData(ROW, { first: 1, count: 2, size: 4 });
    expect(data.map(({ tokens, targets }) => [Array.from(tokens), Array.from(targets)])).toEqual([
      [[5], [9]],
      [
        [1, 2],
        [2, 3],
      ],
      [[5], [9]],
      [[5], [9]],
    ]);
    expect(data.map(({ values }) => Array.from(values['weights'] ?? []))).toEqual([[1], [1, 0], [0], [0]]);
    expect(ofTrained({ trained: [2, 3] }, [-1, -2, -3])).toEqual(Float32Array.of(-2, -3));
  });

  it('carry coefficients as they are to a server that sums', () => {
    const [first] = backwardData(ROW, { first: 0, count: 3, size: 4 }, COEFFICIENTS, 'sum', 4);
    expect(first?.values).toEqual({ weights: Float32Array.of(0, 0.5, -0.25) });
  });

  it('undo the means of a server that takes them', () => {
    const data = backwardData(ROW, { first: 0, count: 3, size: 4 }, COEFFICIENTS, 'sequence_mean', 4);
    expect(data[0]?.values).toEqual({
      weights: Float32Array.of(0, 1, 1),
      advantages: Float32Array.of(0, 0.5 * 2 * 4, -0.25 * 2 * 4),
      logprobs: Float32Array.of(0, 0, 0),
    });
    expect(data[1]?.values['advantages']).toEqual(Float32Array.of(8));
    expect(data[3]?.values).toEqual({
      weights: new Float32Array(1),
      advantages: new Float32Array(1),
      logprobs: new Float32Array(1),
    });
  });
});
