import { Tensor } from 'onnxruntime-node';

import { type BlockMatrix, dequantise } from '../../blocks/index.js';
import { encodeGraph, Graph } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { openSession } from '../../runtime/session.js';
import { PackedMatrices } from './packed-matrices.js';

const ROWS = 24;
/** An odd number of blocks of 32: the zero codes of a row end amid a byte. */
const COLUMNS = 96;

const FORMS = ([4, 8] as const).flatMap((bits) =>
  ([16, 32] as const).flatMap((blockSize) => [true, false].map((hasOffsets) => ({ bits, blockSize, hasOffsets }))),
);

describe.each(FORMS)('products with a matrix in blocks, %j', ({ bits, blockSize, hasOffsets }) => {
  const matrix = aMatrix(bits, blockSize, hasOffsets);
  const { data: numbers } = dequantise(matrix);
  const exactly = (x: Float32Array, row: number) =>
    x.reduce((sum, value, column) => sum + value * numbers[row * COLUMNS + column]!, 0);

  it.each([1, 2, 9])('are exact for %i tokens of numbers of 8 bits', async (tokens) => {
    // The largest of each block has the largest code: no other number is rounded.
    const values = Float32Array.from({ length: tokens * COLUMNS }, (_, at) =>
      at % blockSize === 3 ? 127 / 64 : (((at * 37) % 255) - 127) / 64,
    );
    const found = await products(matrix, values);
    for (let token = 0; token < tokens; token++) {
      const x = values.subarray(token * COLUMNS, (token + 1) * COLUMNS);
      for (let row = 0; row < ROWS; row++) expect(found[token * ROWS + row]).toBeCloseTo(exactly(x, row), 3);
    }
  });

  it('err by no more than the rounding of the other operand', async () => {
    const values = Float32Array.from({ length: COLUMNS }, (_, at) => Math.sin(at * 1.3) * (1 + (at % 5)));
    const found = await products(matrix, values);
    for (let row = 0; row < ROWS; row++) {
      let bound = 1e-4;
      for (let start = 0; start < COLUMNS; start += blockSize) {
        const largest = values
          .subarray(start, start + blockSize)
          .reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        const weights = numbers.subarray(row * COLUMNS + start, row * COLUMNS + start + blockSize);
        const halfScale = matrix.scales[(row * COLUMNS + start) / blockSize]! / 2;
        for (const weight of weights) bound += ((Math.abs(weight) + halfScale) * largest) / 127 / 2;
      }
      expect(Math.abs(found[row]! - exactly(values, row))).toBeLessThan(bound);
    }
  });
});

/** @param values `[tokens, COLUMNS]` @returns `[tokens, ROWS]` */
async function products(matrix: BlockMatrix, values: Float32Array): Promise<Float32Array> {
  const graph = new Graph();
  const x = graph.input('x', 'float32', ['tokens', COLUMNS]);
  const matrices = new PackedMatrices(graph, { tiedHead: false } as LlamaConfig, new Map([['lm_head.weight', matrix]]));
  graph.output('y', matrices.head(x));
  const session = await openSession(encodeGraph(graph), 1);
  const { y } = await session.run({ x: new Tensor('float32', values, [values.length / COLUMNS, COLUMNS]) });
  await session.release();
  return y?.data as Float32Array;
}

function aMatrix(bits: 4 | 8, blockSize: 16 | 32, hasOffsets: boolean): BlockMatrix {
  const blocks = (ROWS * COLUMNS) / blockSize;
  const scales = Float32Array.from({ length: blocks }, (_, block) => 0.01 * (1 + (block % 7)));
  // Ranges around 0, beside it, and of one number.
  scales[5] = 0;
  const offsetOf = (block: number) => (block === 5 ? 0.7 : ((block % 11) - 5) * 2.3 * scales[block]!);
  return {
    ...{ shape: [ROWS, COLUMNS], bits, blockSize, scales },
    codes: Uint8Array.from({ length: (ROWS * COLUMNS * bits) / 8 }, (_, at) => (at * 73 + (at >> 3) * 29) % 256),
    offsets: hasOffsets ? Float32Array.from({ length: blocks }, (_, block) => offsetOf(block)) : null,
  };
}
