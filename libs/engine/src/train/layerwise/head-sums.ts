/** What a part of the vocabulary contributes, as `buildHeadGraph` gives it, `[rows]` each; `expected` `[rows, width]`. */
export interface HeadPart {
  readonly logit: Float32Array;
  readonly lp: Float32Array;
  readonly entropy: Float32Array;
  readonly best?: Float32Array;
  readonly expected?: Float32Array;
}

/**
 * Joins distributions over parts of a vocabulary, part after part, into that over all of it: with Z the sum of a part's
 * exponentials, the part's share is Z over the sum of all. Source: Milakov and Gimelshein, "Online normalizer
 * calculation for softmax" (2018).
 */
export class HeadSums {
  /** Logarithm of the sum of all exponentials so far. */
  private readonly total: Float64Array;
  private readonly entropy: Float64Array;
  private readonly highest: Float64Array;
  readonly targetLogit: Float32Array;

  /** @param expected `[rows, width]`: becomes the expected row of the head's matrix, where that is asked for */
  constructor(
    private readonly rows: number,
    private readonly expected: Float32Array | null,
  ) {
    this.total = new Float64Array(rows).fill(-Infinity);
    this.entropy = new Float64Array(rows);
    this.highest = new Float64Array(rows).fill(-Infinity);
    this.targetLogit = new Float32Array(rows);
    expected?.fill(0);
  }

  /**
   * @param first row that the part's first one is
   * @param hasTarget whether a row's target is in this part
   */
  add(part: HeadPart, first: number, hasTarget: (row: number) => boolean): void {
    part.logit.forEach((logit, at) => {
      const row = first + at;
      const added = logit - part.lp[at]!;
      const before = this.total[row]!;
      const highest = Math.max(before, added);
      const after = highest + Math.log(Math.exp(before - highest) + Math.exp(added - highest));
      this.total[row] = after;
      this.entropy[row] = mixed(before - after, this.entropy[row]!) + mixed(added - after, part.entropy[at]!);
      if (part.best) this.highest[row] = Math.max(this.highest[row]!, part.best[at]! + added);
      if (hasTarget(row)) this.targetLogit[row] = logit;
      if (part.expected) this.join(row, Math.exp(before - after), part.expected, at, Math.exp(added - after));
    });
  }

  /** One value per row. */
  results(): { lp: Float32Array; entropy: Float32Array; best: Float32Array } {
    const minusTotal = (values: ArrayLike<number>) =>
      Float32Array.from({ length: this.rows }, (_, row) => values[row]! - this.total[row]!);
    return {
      lp: minusTotal(this.targetLogit),
      entropy: Float32Array.from(this.entropy),
      best: minusTotal(this.highest),
    };
  }

  private join(row: number, share: number, part: Float32Array, at: number, partShare: number): void {
    const expected = this.expected!;
    const width = expected.length / this.rows;
    for (let column = 0, to = row * width, from = at * width; column < width; column++, to++, from++) {
      expected[to] = share * expected[to]! + partShare * part[from]!;
    }
  }
}

/** What a part with this logarithm of its share adds to the entropy. */
const mixed = (logShare: number, entropy: number) =>
  logShare === -Infinity ? 0 : Math.exp(logShare) * (entropy - logShare);
