import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import wabt from 'wabt';

import type { BlockMatrix } from './block-matrix.js';
import { dequantiseRows } from './dequantise.js';
import { DequantiseMemory } from './dequantise-memory.js';
import { DEQUANTISE_MODULE } from './dequantise-module.js';

/** Numbers that look random, the same in every run. */
function* randoms(): Generator<number, never> {
  for (let state = 7; ; state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) yield state / 2 ** 32;
}

function randomMatrix(
  rows: number,
  columns: number,
  bits: 4 | 8,
  blockSize: 16 | 32,
  hasOffsets: boolean,
): BlockMatrix {
  const next = randoms();
  const number = (): number => next.next().value - 0.5;
  const blocks = (rows * columns) / blockSize;
  return {
    ...{ shape: [rows, columns], bits, blockSize },
    codes: Uint8Array.from({ length: (rows * columns * bits) / 8 }, () => 256 * next.next().value),
    scales: Float32Array.from({ length: blocks }, number),
    offsets: hasOffsets ? Float32Array.from({ length: blocks }, number) : null,
  };
}

describe('DequantiseMemory', () => {
  it.each([
    [4, 32, true],
    [4, 32, false],
    [4, 16, true],
    [8, 32, true],
    [8, 16, false],
  ] as const)('gives the numbers of %d bits in blocks of %d (with offsets: %p)', (bits, blockSize, hasOffsets) => {
    // More blocks than are copied in at a time.
    const matrix = randomMatrix(700, 96, bits, blockSize, hasOffsets);
    const memory = new DequantiseMemory(700 * 96);
    const all = memory.take(600 * 96);
    const last = memory.take(96);
    memory.dequantiseRows(matrix, 699, last);
    memory.dequantiseRows(matrix, 3, all);
    const expected = { all: new Float32Array(600 * 96), last: new Float32Array(96) };
    dequantiseRows(matrix, 3, expected.all);
    dequantiseRows(matrix, 699, expected.last);
    expect(Buffer.compare(bytesOf(all), bytesOf(expected.all))).toBe(0);
    expect(Buffer.compare(bytesOf(last), bytesOf(expected.last))).toBe(0);
  });

  it('does without WebAssembly where that has no room', () => {
    const matrix = randomMatrix(4, 32, 4, 32, true);
    const memory = new DequantiseMemory(2 ** 31);
    const [numbers, expected] = [memory.take(64), new Float32Array(64)];
    memory.dequantiseRows(matrix, 1, numbers);
    dequantiseRows(matrix, 1, expected);
    expect(numbers).toEqual(expected);
  });

  it('gives no more than it was made for', () => {
    const memory = new DequantiseMemory(64);
    expect(() => memory.take(2 ** 20)).toThrow('Invalid typed array length');
  });

  it('runs what its source says', async () => {
    const source = await readFile(join(import.meta.dirname, 'dequantise.wat'), 'utf8');
    const { buffer } = (await wabt()).parseWat('dequantise.wat', source).toBinary({});
    expect(Buffer.from(buffer).toString('base64')).toBe(Buffer.from(DEQUANTISE_MODULE).toString('base64'));
  });
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
