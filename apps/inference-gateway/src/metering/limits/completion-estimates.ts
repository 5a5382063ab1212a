/** Steps per doubling: an estimate is at most 19 % above the true percentile. */
const STEPS = 4;
const BUCKETS = 96;
const PERCENTILE = 0.95;
/** Above this weight all counts are halved, so that the estimate follows recent answers (exponential decay). */
const MAX_WEIGHT = 1_000;
const MAX_MODELS = 5_000;
/** Estimate in tokens for a model that has not answered yet. */
const FIRST_ESTIMATE = 512;

/** Estimates the length of answers per model: the running 95th percentile (p95) of their completion tokens. */
export class CompletionEstimates {
  private readonly models = new Map<string, AnswerLengths>();

  /** @param askedMax token limit that the caller set; null: none */
  estimate(model: string, askedMax: number | null): number {
    const usual = this.models.get(model)?.usual ?? FIRST_ESTIMATE;
    return Math.min(askedMax ?? usual, usual);
  }

  /** Records a complete answer; an interrupted one says nothing about length. */
  observe(model: string, completionTokens: number): void {
    const lengths = this.models.get(model) ?? this.add(model);
    lengths.add(completionTokens);
  }

  private add(model: string): AnswerLengths {
    if (this.models.size >= MAX_MODELS) this.models.clear();
    const lengths = new AnswerLengths();
    this.models.set(model, lengths);
    return lengths;
  }
}

/** A histogram of one model's answers. */
class AnswerLengths {
  /** The percentile, in tokens. */
  usual = FIRST_ESTIMATE;
  private weight = 0;
  private readonly counts = new Float64Array(BUCKETS);

  add(tokens: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.ceil(STEPS * Math.log2(tokens + 1)));
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.weight++;
    if (this.weight > MAX_WEIGHT) this.halve();
    this.usual = Math.floor(2 ** (this.percentile() / STEPS)) - 1;
  }

  private halve(): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) this.counts[bucket] = (this.counts[bucket] as number) / 2;
    this.weight /= 2;
  }

  private percentile(): number {
    const needed = PERCENTILE * this.weight;
    let seen = 0;
    let bucket = 0;
    while ((seen += this.counts[bucket] as number) < needed && bucket < BUCKETS - 1) bucket++;
    return bucket;
  }
}
