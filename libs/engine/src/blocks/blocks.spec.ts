import type { FloatTensor } from '../tensor.js';
import { bytesOf, dequantise, quantise, toFloats } from './index.js';

const ROWS = 3;
const COLUMNS = 96;
const matrix: FloatTensor = {
  shape: [ROWS, COLUMNS],
  data: Float32Array.from({ length: ROWS * COLUMNS }, (_, index) => Math.sin(index * 1.7) * (1 + (index % 7)) + 0.3),
};

describe('matrices in blocks', () => {
  it.each([
    [8, 1.25],
    [4, 0.75],
  ] as const)('of %i bits keep each number to within half a step, in %d bytes a number', (bits, bytes) => {
    const blocks = quantise(matrix, bits);
    const found = dequantise(blocks);
    expect(found.shape).toEqual(matrix.shape);
    found.data.forEach((number, index) => {
      const step = blocks.scales[Math.floor(index / blocks.blockSize)]!;
      expect(Math.abs(number - matrix.data[index]!)).toBeLessThanOrEqual(0.5 * step * 1.0001);
    });
    expect(bytesOf(blocks)).toBeLessThanOrEqual(bytes * matrix.data.length);
  });

  it.each([8, 4] as const)('of %i bits keep blocks of one number exactly', (bits) => {
    const same = { shape: [1, 32], data: new Float32Array(32).fill(bits === 8 ? 0 : 2.5) };
    expect(dequantise(quantise(same, bits)).data).toEqual(same.data);
  });

  it('put the first code of 4 bits in the lower half of a byte', () => {
    const ramp = { shape: [1, 32], data: Float32Array.from({ length: 32 }, (_, index) => index % 16) };
    expect([...quantise(ramp, 4).codes.subarray(0, 2)]).toEqual([0x10, 0x32]);
  });

  it('are as they were where they are float32', () => expect(toFloats(matrix)).toBe(matrix));
});
