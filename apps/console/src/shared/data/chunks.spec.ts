import { chunksOf } from './chunks.js';

it('a list is cut into parts that hold all of it, in order', () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([], 2)).toEqual([]);
});
