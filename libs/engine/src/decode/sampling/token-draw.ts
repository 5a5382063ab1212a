import { likeliestToken, LOWEST_SCORE, nextAtLeast } from './likeliest.js';
import type { SamplingSettings } from './sampling-settings.js';

/** Below this exponent a token counts as impossible: all of a vocabulary together weighs less than 1e-28. */
const NEGLIGIBLE_EXPONENT = -80;

/** Largest top_k for which a sorted list of the likeliest is kept: in longer lists, scores would be moved too often. */
const LISTED_RANKS = 256;

/**
 * Draws tokens at a temperature; buffers are kept between draws. The order is vLLM's: temperature, min_p, top_k,
 * top_p, each over what the one before left.
 */
export class TokenDraw {
  private readonly weights: Float64Array;
  /** Tokens that are left, in the order of their ids. */
  private readonly kept: Int32Array;
  private count = 0;
  private readonly ranked: Int32Array;
  private readonly ordered: Float32Array;

  constructor(vocabSize: number) {
    this.weights = new Float64Array(vocabSize);
    this.kept = new Int32Array(vocabSize);
    this.ranked = new Int32Array(vocabSize);
    this.ordered = new Float32Array(vocabSize);
  }

  /**
   * @param scores logits or log-probabilities, -Infinity for masked tokens
   * @param uniform a random number, 0 (included) to 1 (excluded)
   * @returns the token's id, or -1 when all are masked
   */
  draw(scores: Float32Array, settings: SamplingSettings, uniform: number): number {
    const { topK, topP } = settings;
    const isLimited = topK > 0 && topK < scores.length;
    let total: number;
    if (isLimited && topK <= LISTED_RANKS) {
      const least = this.listLikeliest(scores, topK);
      total = this.weigh(scores, this.ordered[0] as number, least, settings, this.count);
    } else {
      const best = likeliestToken(scores);
      if (best === -1) return -1;
      const least = isLimited ? this.scoreOfRank(scores, topK) : -Infinity;
      total = this.weigh(scores, scores[best] as number, least, settings, null);
    }
    if (this.count === 0) return -1;
    if (topP < 1) total = this.keepTopP(topP * total);
    return this.pick(uniform * total);
  }

  /**
   * Weights relative to the likeliest token's, which is 1, of tokens that score `least` or more: of every token that is
   * as likely as the last of top_k, as vLLM does. Returns their sum.
   *
   * @param listed how many of `kept` are looked at; null: every token
   */
  private weigh(
    scores: Float32Array,
    highest: number,
    least: number,
    { temperature, minP }: SamplingSettings,
    listed: number | null,
  ): number {
    const { weights, kept } = this;
    const sharpness = 1 / temperature;
    const lowest = Math.max(least, highest + NEGLIGIBLE_EXPONENT * temperature);
    const looked = listed ?? scores.length;
    let total = 0;
    let count = 0;
    for (let index = 0; index < looked; index += 1) {
      const id = listed === null ? index : (kept[index] as number);
      const score = scores[id] as number;
      if (!(score >= lowest)) continue;
      const weight = Math.exp((score - highest) * sharpness);
      if (!(weight >= minP)) continue;
      weights[id] = weight;
      kept[count++] = id;
      total += weight;
    }
    this.count = count;
    return total;
  }

  /**
   * One pass with a list of the likeliest so far: most tokens are refused by one comparison with the last of it. Those
   * that are not are kept: in the end every token that is as likely as the last of the list is among them.
   *
   * @returns the score of the `rank`-th likeliest token; the lowest when fewer may come
   */
  private listLikeliest(scores: Float32Array, rank: number): number {
    const { ordered, kept } = this;
    ordered.fill(-Infinity, 0, rank);
    let least = LOWEST_SCORE;
    let count = 0;
    for (let id = nextAtLeast(scores, 0, least); id < scores.length; id = nextAtLeast(scores, id + 1, least)) {
      const score = scores[id] as number;
      kept[count++] = id;
      let at = rank - 1;
      for (; at > 0 && (ordered[at - 1] as number) < score; at -= 1) ordered[at] = ordered[at - 1] as number;
      if (score > least) ordered[at] = score;
      least = Math.max(LOWEST_SCORE, ordered[rank - 1] as number);
    }
    this.count = count;
    return least;
  }

  /** The score of the `rank`-th likeliest token. */
  private scoreOfRank(scores: Float32Array, rank: number): number {
    const { ordered } = this;
    ordered.set(scores);
    return selectDescending(ordered, rank - 1);
  }

  /**
   * Keeps the smallest set of likeliest tokens that weighs `missing` or more: finds the last of them by
   * quickselect on sums, without sorting the vocabulary. Returns the sum of what is left.
   */
  private keepTopP(missing: number): number {
    const { weights, ranked, count } = this;
    ranked.set(this.kept.subarray(0, count));
    const sufficient = this.countSufficient(count, missing);
    for (let rank = sufficient; rank < count; rank += 1) weights[ranked[rank] as number] = 0;
    let total = 0;
    for (let rank = 0; rank < sufficient; rank += 1) total += weights[ranked[rank] as number] as number;
    return total;
  }

  /** Reorders the first `count` of `ranked` so that the sufficient set comes first. Returns its size. */
  private countSufficient(count: number, missing: number): number {
    const { weights, ranked } = this;
    let low = 0;
    let high = count;
    while (high - low > 1) {
      const { boundary, above } = this.partition(low, high);
      const pivot = weights[ranked[boundary] as number] as number;
      if (above >= missing) high = boundary;
      else if (above + pivot >= missing) return boundary + 1;
      else {
        missing -= above + pivot;
        low = boundary + 1;
      }
    }
    return high;
  }

  /** Orders `ranked` from `low` to `high` around its middle: likelier first, of equal ones the lower id. */
  private partition(low: number, high: number): { boundary: number; above: number } {
    const { weights, ranked } = this;
    const middle = (low + high) >>> 1;
    const pivotId = ranked[middle] as number;
    const pivot = weights[pivotId] as number;
    ranked[middle] = ranked[high - 1] as number;
    let boundary = low;
    let above = 0;
    for (let rank = low; rank < high - 1; rank += 1) {
      const id = ranked[rank] as number;
      const weight = weights[id] as number;
      if (weight < pivot || (weight === pivot && id > pivotId)) continue;
      ranked[rank] = ranked[boundary] as number;
      ranked[boundary++] = id;
      above += weight;
    }
    ranked[high - 1] = ranked[boundary] as number;
    ranked[boundary] = pivotId;
    return { boundary, above };
  }

  /** The token at which the running sum passes `left`. */
  private pick(left: number): number {
    const { weights, kept, count } = this;
    let last = -1;
    for (let index = 0; index < count; index += 1) {
      const id = kept[index] as number;
      const weight = weights[id] as number;
      if (weight === 0) continue;
      left -= weight;
      last = id;
      if (left < 0) return id;
    }
    // Rounding used up a little more than there was.
    return last;
  }
}

/** The number at `index` in descending order; `values` is reordered (Hoare's quickselect). */
function selectDescending(values: Float32Array, index: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) > pivot) left += 1;
      while ((values[right] as number) < pivot) right -= 1;
      if (left > right) break;
      [values[left], values[right]] = [values[right] as number, values[left] as number];
      left += 1;
      right -= 1;
    }
    if (index <= right) high = right;
    else if (index >= left) low = left;
    else break;
  }
  return values[index] as number;
}
