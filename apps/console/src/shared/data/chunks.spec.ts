import { chunksByWeight, chunksOf } from './chunks.js';

it('a list is cut into parts that hold all of it, in order', () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([], 2)).toEqual([]);
});

it('or by weight, the heavy ones alone', () => {
  expect(chunksByWeight([1, 2, 3, 9, 1, 1], 4, (weight) => weight)).toEqual([[1, 2], [3], [9], [1, 1]]);
  expect(chunksByWeight([], 4, () => 1)).toEqual([]);
});
