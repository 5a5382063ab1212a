import { Tensor } from 'onnxruntime-node';

import { type LlamaConfig, windowOf } from '../../model/config/llama-config.js';
import type { Feeds } from '../../runtime/join-feeds.js';
import { layerInput } from '../graph/decoder-tensors.js';
import { CacheMask } from './cache-mask.js';
import { joinPlanes, type KeyValues } from './key-values.js';

/**
 * KV cache of the sequences that decode together, each in a row of equal capacity. Rows are compact: the first
 * `count` of them are fed to the step graph without a copy.
 */
export class CacheRows {
  /**
   * Minimum number of rows of a step; unused ones are empty. A product with a single row runs another kernel, which
   * sums in another order: with 1, a row alone would get results that differ in the last bits, and in more where
   * numbers are rounded to 8 bits.
   */
  minRows: 1 | 2 = 2;
  private used = 0;
  private rows = 2;
  /** Per layer keys, then values: `[rows, numKvHeads, capacity, headDim]`. */
  private planes: Float32Array[];
  /** By the names of the graph's inputs. */
  private readonly masks: ReadonlyMap<string, CacheMask>;
  private fed: { rows: number; tensors: Record<string, Tensor> } | null = null;

  /** @param capacity tokens that a row can hold */
  constructor(
    private readonly config: LlamaConfig,
    readonly capacity: number,
  ) {
    this.planes = Array.from({ length: config.numLayers * 2 }, () => new Float32Array(this.rows * this.rowFloats));
    const window = windowOf(config);
    const mask = (size: number | null) => new CacheMask(this.rows, capacity, size);
    this.masks = new Map([['mask', mask(null)], ...(window === null ? [] : [['windowMask', mask(window)] as const])]);
  }

  get count(): number {
    return this.used;
  }

  /** Rows of the next step: those in use, or the minimum. */
  get fedCount(): number {
    return Math.max(this.used, this.minRows);
  }

  /** A new row holding `pieces`, one after the other. Returns its index, `count` before the call. */
  add(pieces: readonly KeyValues[], tokens: number): number {
    if (this.used === this.rows) this.grow();
    const row = this.used;
    const { numKvHeads, headDim } = this.config;
    this.planes.forEach((plane, index) => {
      const target = plane.subarray(row * this.rowFloats, (row + 1) * this.rowFloats);
      joinPlanes(pieces, [index * numKvHeads, numKvHeads], headDim, target, this.capacity);
    });
    this.setLength(row, tokens);
    this.used += 1;
    return row;
  }

  /** A copy of another cache's row, in a new row here. */
  adopt(source: CacheRows, sourceRow: number, tokens: number): number {
    return this.add([source.read(sourceRow, tokens)], tokens);
  }

  /** Frees `row`; the last row moves into the gap. */
  remove(row: number): void {
    const last = this.used - 1;
    if (row !== last) {
      const move = (data: Float32Array, size: number) => data.copyWithin(row * size, last * size, (last + 1) * size);
      for (const plane of this.planes) move(plane, this.rowFloats);
      for (const mask of this.masks.values()) mask.move(last, row);
    }
    this.setLength(last, 0);
    this.used = last;
  }

  /**
   * Stores what the step graph computed for one row's new token.
   *
   * @param newRows `[rows, numLayers * 2 * numKvHeads * headDim]`
   */
  append(row: number, position: number, newRows: Float32Array): void {
    const { numKvHeads, headDim } = this.config;
    let from = row * this.planes.length * numKvHeads * headDim;
    for (const plane of this.planes) {
      for (let head = 0; head < numKvHeads; head += 1) {
        let to = ((row * numKvHeads + head) * this.capacity + position) * headDim;
        // A loop is faster than TypedArray#set for so few numbers.
        for (const end = to + headDim; to < end; to += 1, from += 1) plane[to] = newRows[from] as number;
      }
    }
    for (const mask of this.masks.values()) mask.append(row, position);
  }

  /** The inputs `mask`, `windowMask`, `keys` and `values` of the step graph, over the memory of this cache. */
  feeds(): Feeds {
    const rows = this.fedCount;
    if (this.fed?.rows === rows) return this.fed.tensors;
    const { numKvHeads, headDim } = this.config;
    const tensors: Record<string, Tensor> = {};
    for (const [name, mask] of this.masks) tensors[name] = mask.tensor(rows);
    this.planes.forEach((plane, index) => {
      const name = layerInput(index >> 1, index % 2 === 0 ? 'keys' : 'values');
      const data = plane.subarray(0, rows * this.rowFloats);
      tensors[name] = new Tensor('float32', data, [rows, numKvHeads, this.capacity, headDim]);
    });
    this.fed = { rows, tensors };
    return tensors;
  }

  private read(row: number, tokens: number): KeyValues {
    const { numKvHeads, headDim } = this.config;
    const data = new Float32Array(this.planes.length * numKvHeads * tokens * headDim);
    let to = 0;
    for (const plane of this.planes) {
      for (let head = 0; head < numKvHeads; head += 1) {
        const from = (row * numKvHeads + head) * this.capacity * headDim;
        data.set(plane.subarray(from, from + tokens * headDim), to);
        to += tokens * headDim;
      }
    }
    return { tokens, data };
  }

  private get rowFloats(): number {
    return this.config.numKvHeads * this.capacity * this.config.headDim;
  }

  private setLength(row: number, tokens: number): void {
    for (const mask of this.masks.values()) mask.setLength(row, tokens);
  }

  private grow(): void {
    this.rows *= 2;
    this.planes = this.planes.map((plane) => enlarge(plane, this.rows * this.rowFloats));
    for (const mask of this.masks.values()) mask.grow(this.rows);
    this.fed = null;
  }
}

function enlarge(data: Float32Array, length: number): Float32Array {
  const larger = new Float32Array(length);
  larger.set(data);
  return larger;
}
