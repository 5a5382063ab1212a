/** Steps per doubling: an estimate is at most 19 % above the true percentile. */
const STEPS = 4;
const BUCKETS = 96;
const PERCENTILE = 0.95;
/** Above it old answers lose half of their weight, so that an estimate follows what is asked now. */
const MAX_WEIGHT = 1_000;
const MAX_MODELS = 5_000;
/** For a model that has not answered yet. */
const FIRST_ESTIMATE = 512;

/** How long the answers of each model usually are: the running 95th percentile of their tokens. */
export class CompletionEstimates {
  readonly #models = new Map<string, Float64Array>();

  /** @param askedMax longest answer that the caller allows; null: they set no limit */
  estimate(model: string, askedMax: number | null): number {
    const counts = this.#models.get(model);
    const usual = counts ? percentileOf(counts) : FIRST_ESTIMATE;
    return Math.min(askedMax ?? usual, usual);
  }

  /** Call it for whole answers only: those that broke off say nothing about length. */
  observe(model: string, completionTokens: number): void {
    const counts = this.#models.get(model) ?? this.#add(model);
    const bucket = Math.min(BUCKETS - 1, Math.ceil(STEPS * Math.log2(completionTokens + 1)));
    counts[bucket] = (counts[bucket] as number) + 1;
    if (sumOf(counts) > MAX_WEIGHT) counts.forEach((count, index) => (counts[index] = count / 2));
  }

  #add(model: string): Float64Array {
    if (this.#models.size >= MAX_MODELS) this.#models.clear();
    const counts = new Float64Array(BUCKETS);
    this.#models.set(model, counts);
    return counts;
  }
}

const sumOf = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);

function percentileOf(counts: Float64Array): number {
  const needed = PERCENTILE * sumOf(counts);
  let seen = 0;
  const bucket = counts.findIndex((count) => (seen += count) >= needed);
  return Math.floor(2 ** (bucket / STEPS)) - 1;
}
