import { type BlockMatrix, zeroCode } from './block-matrix.js';
import { dequantiseRows } from './dequantise.js';
import { dequantiseIn, openWasmMemory, type WasmMemory } from './dequantise-module.js';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Blocks that are copied in at a time: they fit into the cache of a core. */
const PART_BLOCKS = 2_048;
const MAX_CODE_BYTES = 32;
const PART_BYTES = PART_BLOCKS * (MAX_CODE_BYTES + 2 * FLOAT_BYTES);

/** Where a part of a matrix is copied to. */
interface Part {
  readonly codes: Uint8Array;
  readonly scales: Float32Array;
  readonly offsets: Float32Array;
}

/**
 * WebAssembly memory in which SIMD code converts matrices in blocks to float32. The results are those of
 * `dequantiseRows`, in half of the time or less. If the memory cannot be allocated (it has 4 GiB at most, and reserves
 * more of the address space), ordinary arrays and that function are used.
 */
export class DequantiseMemory {
  private readonly memory: WasmMemory | null;
  private readonly dequantise;
  private readonly part: Part;
  /** Where the next array begins. */
  private end = PART_BYTES;

  /** @param floats of all arrays that will be taken; what is not written to takes no memory */
  constructor(floats: number) {
    this.memory = openWasmMemory(PART_BYTES + floats * FLOAT_BYTES);
    this.dequantise = this.memory && dequantiseIn(this.memory);
    const buffer = this.memory?.buffer ?? new ArrayBuffer(PART_BYTES);
    const codes = new Uint8Array(buffer, 0, PART_BLOCKS * MAX_CODE_BYTES);
    const scales = new Float32Array(buffer, codes.byteLength, PART_BLOCKS);
    const offsets = new Float32Array(buffer, codes.byteLength + scales.byteLength, PART_BLOCKS);
    this.part = { codes, scales, offsets };
  }

  /** An array of its own. @throws RangeError more is taken than the memory was made for */
  take(length: number): Float32Array {
    if (this.memory === null) return new Float32Array(length);
    const array = new Float32Array(this.memory.buffer, this.end, length);
    this.end += array.byteLength;
    return array;
  }

  /** Writes as many rows, from `firstRow` on, as `target`, an array of this memory, holds: `[rows, columns]`. */
  dequantiseRows(matrix: BlockMatrix, firstRow: number, target: Float32Array): void {
    if (this.dequantise === null) return dequantiseRows(matrix, firstRow, target);
    const { shape, bits, blockSize } = matrix;
    const { codes, scales, offsets } = this.part;
    const first = (firstRow * shape[1]) / blockSize;
    const end = first + target.length / blockSize;
    for (let from = first; from < end; from += PART_BLOCKS) {
      const to = Math.min(end, from + PART_BLOCKS);
      this.copyIn(matrix, from, to);
      this.dequantise(
        ...([bits, zeroCode(bits), blockSize / 8, to - from] as const),
        ...([codes.byteOffset, scales.byteOffset, offsets.byteOffset] as const),
        target.byteOffset + (from - first) * blockSize * FLOAT_BYTES,
      );
    }
  }

  private copyIn({ bits, blockSize, codes, scales, offsets }: BlockMatrix, from: number, to: number): void {
    const blockBytes = (blockSize * bits) / 8;
    this.part.codes.set(codes.subarray(from * blockBytes, to * blockBytes));
    this.part.scales.set(scales.subarray(from, to));
    if (offsets === null) this.part.offsets.fill(0);
    else this.part.offsets.set(offsets.subarray(from, to));
  }
}
