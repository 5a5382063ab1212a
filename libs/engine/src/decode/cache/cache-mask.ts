import { Tensor } from 'onnxruntime-node';

/** Added to the score of a hidden slot: its weight after softmax is exactly 0. Finite, as -Infinity - -Infinity is NaN. */
export const HIDDEN = -1e30;

/** Which slots of its cache row the next token of each sequence sees: 0, or {@link HIDDEN}. */
export class CacheMask {
  private data: Float32Array;

  /** @param window tokens that a token sees, itself among them; null: all before it */
  constructor(
    rows: number,
    private readonly capacity: number,
    private readonly window: number | null,
  ) {
    this.data = new Float32Array(rows * capacity).fill(HIDDEN);
  }

  /** The row holds so many tokens. */
  setLength(row: number, tokens: number): void {
    const start = row * this.capacity;
    this.data.fill(HIDDEN, start, start + this.capacity).fill(0, start + this.firstSeen(tokens), start + tokens);
  }

  /** The row got a token at `position`, its end. */
  append(row: number, position: number): void {
    const start = row * this.capacity;
    this.data[start + position] = 0;
    const first = this.firstSeen(position + 1);
    if (first > 0) this.data[start + first - 1] = HIDDEN;
  }

  move(from: number, to: number): void {
    this.data.copyWithin(to * this.capacity, from * this.capacity, (from + 1) * this.capacity);
  }

  grow(rows: number): void {
    const larger = new Float32Array(rows * this.capacity).fill(HIDDEN);
    larger.set(this.data);
    this.data = larger;
  }

  /** Of the first rows, `[rows, 1, 1, capacity]`, over this memory. */
  tensor(rows: number): Tensor {
    return new Tensor('float32', this.data.subarray(0, rows * this.capacity), [rows, 1, 1, this.capacity]);
  }

  /** Slot of the first token that a token at `position` sees. */
  private firstSeen(position: number): number {
    return this.window === null ? 0 : Math.max(0, position - this.window + 1);
  }
}
